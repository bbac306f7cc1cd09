// Runs before the page is drawn: where a game was kept (`keeping.js`), the page begins with the board and not with the
// form, so that nothing moves when its script arrives.

try {
  if (localStorage.getItem('local game') !== null) document.body.classList.remove('importing');
} catch {
  // Storage is switched off, so no game was kept.
}
