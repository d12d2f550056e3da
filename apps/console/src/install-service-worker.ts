import { whenIdle } from './when-idle.ts';

/** Installs the service worker, which opens the console without a network. Not in development. */
export function installServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Where the browser refuses it, the console needs a network to load.
  whenIdle(() => void navigator.serviceWorker.register('/service-worker.js').catch(() => {}));
}
