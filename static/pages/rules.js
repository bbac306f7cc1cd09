// The rules pages are texts; this draws their boards, each from the position that stands in the page. The first of them can
// be played on.

import { drawDiagram } from '../board/diagram.js';
import { figureOf } from '../board/figure.js';
import { beginHeader } from '../ui/header.js';
import { loadPart } from '../ui/loading.js';
import { byId, t } from '../ui/page.js';

beginHeader();
for (const figure of document.querySelectorAll('figure[data-position]')) {
  const { host, diagram } = figureOf(/** @type {HTMLElement} */ (figure));
  drawDiagram(host, { ...diagram, t });
}

const toTry = byId('try');
toTry.addEventListener('click', play, { once: true });

async function play() {
  const { openRulesBoard } = await loadPart('board', toTry.dataset.board ?? '');
  await openRulesBoard(toTry);
}

/** Shows the clause that the address names, also in a folded part; browsers do not all unfold it. */
function unfold() {
  const clause = document.getElementById(location.hash.slice(1));
  const fold = clause?.closest('details:not([open])');
  for (const details of [fold, clause?.querySelector('details')]) details?.setAttribute('open', '');
  if (fold) clause?.scrollIntoView();
}

window.addEventListener('hashchange', unfold);
unfold();
