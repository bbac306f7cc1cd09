// The rules pages are texts; this draws their boards, each from the position that stands in the page.

import { drawDiagram } from '../board/diagram.js';
import { figureOf } from '../board/figure.js';
import { beginHeader } from '../ui/header.js';
import { t } from '../ui/page.js';

beginHeader();
for (const figure of document.querySelectorAll('figure[data-position]')) {
  const { host, diagram } = figureOf(/** @type {HTMLElement} */ (figure));
  drawDiagram(host, { ...diagram, t });
}
