// Runs before the first paint, which is why it is no module: a chosen theme must not flash in the other one.
{
  let theme = null;
  try {
    theme = localStorage.getItem('theme');
  } catch {
    // Without storage the theme is the system's.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
