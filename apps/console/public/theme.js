// Before the first paint, so that nothing flashes: the theme that was chosen, else the system's.
try {
  const theme = localStorage.getItem('firmdesk.theme');
  if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = JSON.parse(theme);
} catch {
  // No storage: the system's theme.
}
