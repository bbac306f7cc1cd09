// The words of the visitor's dialogs, which are loaded with them.

import { loadWords } from '../i18n.js';
import { byId } from '../ui/page.js';

export const say = await loadWords(byId('top').dataset.visitorWords);
