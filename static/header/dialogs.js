// The dialogs that the header opens. Pages load them when one is asked for.

import { showPreferences } from './preferences-dialog.js';
import { showVisitor } from './visitor-dialog.js';

export const DIALOGS = { preferences: showPreferences, visitor: showVisitor };
