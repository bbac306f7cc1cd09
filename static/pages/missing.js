// The page at an address at which there is nothing. All that it says stands in its HTML.

import { beginHeader } from '../ui/header.js';

beginHeader();
