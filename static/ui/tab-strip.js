// A strip of tabs. Arrow keys, Home and End move along it, and only the chosen tab is in the order of focus.

import { html, render } from '../vendor/lit-html@3.3.3/lit-html.js';

/**
 * @template {string} Name
 * @param {HTMLElement} strip
 * @param {{ name: Name, content: unknown }[]} tabs named after the ids of their panels
 * @param {Name} chosen
 * @param {(name: Name) => void} open
 */
export function drawTabs(strip, tabs, chosen, open) {
  strip.onkeydown = (event) => {
    const at = tabs.findIndex(({ name }) => name === chosen);
    /** @type {Record<string, number>} */
    const goals = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const tab = tabs.at(goals[event.key] % tabs.length);
    if (!(event.key in goals) || tab === undefined) return;
    event.preventDefault();
    open(tab.name);
    document.getElementById(`tab-${tab.name}`)?.focus();
  };
  render(
    tabs.map(
      ({ name, content }) => html`<button role="tab" id=${`tab-${name}`} aria-controls=${name}
        aria-selected=${name === chosen} tabindex=${name === chosen ? 0 : -1} @click=${() => open(name)}>${content}</button>`,
    ),
    strip,
  );
}
