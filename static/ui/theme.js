// Runs before the first paint, which is why it is no module: a chosen theme must not flash in the other one.
{
  let theme = null;
  let tried = null;
  try {
    theme = localStorage.getItem('theme');
    tried = localStorage.getItem('tried');
  } catch {
    // Without storage the theme is the system's.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  // The lobby has the board to try, or has its room for something else.
  if (tried !== null) document.documentElement.dataset.tried = tried;
}
