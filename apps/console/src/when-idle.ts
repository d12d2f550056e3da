/** What is not needed for the first page waits for this long, so that it does not compete with the page and its data. */
const FIRST_PAGE_MS = 3_000;

/** Runs a function once the first page is loaded and the browser is idle. */
export function whenIdle(run: () => void): void {
  const schedule = window.requestIdleCallback ?? ((scheduled: () => void) => setTimeout(scheduled, 1_000));
  const start = () => setTimeout(() => schedule(run), FIRST_PAGE_MS);
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}
