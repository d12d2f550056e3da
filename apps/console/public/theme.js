// Runs before the first paint to avoid a flash: the chosen theme, or the system's.
try {
  const theme = localStorage.getItem('firmdesk.theme');
  if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = JSON.parse(theme);
} catch {
  // Without storage, the system's theme applies.
}
