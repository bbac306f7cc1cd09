// A page that is a text: all that it says stands in its HTML.

import { beginHeader } from '../ui/header.js';

beginHeader();
