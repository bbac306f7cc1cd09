// The page at an address at which there is nothing. All that it says stands in its HTML.

import { showHeader } from '../ui/page.js';

showHeader('missing');
