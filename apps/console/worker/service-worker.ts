/*
 * Opens the console without a network: it keeps the page and the code of one version, and no data. With a network every page comes
 * from it, so that a new version shows at the first load after its deployment. It shows the pushes to this browser, and where pages cannot
 * show notifications, those that they hand to it.
 */

export {};

declare const self: ServiceWorkerGlobalScope;

/** The build replaces it by the paths of its files. */
declare const __FILES__: readonly string[];
/** The build replaces it by a hash of these paths, which contain hashes of the files. */
declare const __VERSION__: string;

const files = __FILES__;
const cacheName = `console-${__VERSION__}`;
const PAGE = '/index.html';
/** Pages that are not the console's. */
const OTHER_PAGES = /^\/(docs|v1|trpc|health|metrics)(\/|$)/;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(dropEarlierVersions()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (!OTHER_PAGES.test(pathname)) event.respondWith(fromNetworkOr(request, PAGE));
  } else if (pathname.startsWith('/assets/')) event.respondWith(fromCacheOrNetwork(request));
  else if (files.includes(pathname)) event.respondWith(fromNetworkOr(request, pathname));
});

self.addEventListener('push', (event) => event.waitUntil(showPush(event.data)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPageOf(event.notification));
});

/** Stores the page and its files. Rejects if the page is of another version, which a deployment that is under way can serve. */
async function install(): Promise<void> {
  const page = await fetch(PAGE, { cache: 'no-cache' });
  const used = [...(await page.clone().text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  if (!page.ok || !used.every((path) => files.includes(path)))
    throw new Error('The page is of another version.');
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
  await cache.put(PAGE, page);
  // Pages of the version before continue with the files that they have, see below.
  await self.skipWaiting();
}

/** Keeps the cache of this version and of the one before, whose pages may still be open. */
async function dropEarlierVersions(): Promise<void> {
  const earlier = (await caches.keys()).filter((name) => name.startsWith('console-') && name !== cacheName);
  await Promise.all(earlier.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function fromNetworkOr(request: Request, path: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await (await caches.open(cacheName)).match(path);
    if (cached) return cached;
    throw error;
  }
}

/** The names of these files contain a hash of their content, so a stored one is never out of date. */
async function fromCacheOrNetwork(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** What a notification of this worker leads to. */
interface NotificationData {
  page: string;
  /** The id in the notification centre; null for what is not there. */
  notification: string | null;
}

/** What the service pushes to a browser: the same as to phones (contract §6.1). */
interface Push {
  aps: { alert: { title: string; body: string } };
  type: string;
  workspace?: string;
  notification_id?: string;
  action_url?: string | null;
  message_id?: string;
  event_id?: string;
  occurrence_start?: string | null;
}

/** Shows a push. Of notifications, a visible window of the firm tells itself. */
async function showPush(data: PushMessageData | null): Promise<void> {
  const push = data?.json() as Push;
  const { title, body } = push.aps.alert;
  const page = pageOfPush(push);
  const notification = push.notification_id ?? null;
  const windows = await windowsOf(page);
  if (notification !== null && windows.some(({ visibilityState }) => visibilityState === 'visible')) return;
  await self.registration.showNotification(title, {
    body,
    // One that the page of a hidden window has shown is replaced.
    tag: notification ?? push.message_id ?? `${push.event_id ?? push.type} ${push.occurrence_start ?? ''}`,
    icon: '/icon.svg',
    data: { page, notification } satisfies NotificationData,
  });
}

/** The page of notifications opens what a push is about, as for those in its list. */
function pageOfPush({ type, workspace, action_url, message_id }: Push): string {
  if (!workspace) return '/account/notifications';
  const open =
    type === 'mail.message'
      ? `/mail?message=${message_id}`
      : type === 'calendar.reminder'
        ? '/calendar?view=day'
        : (action_url ?? '/notifications');
  return `/firms/${workspace}/notifications?open=${encodeURIComponent(open)}`;
}

/** Returns the windows of the firm that a page belongs to, those used last first. Sessions, and what is read, belong to a firm. */
async function windowsOf(page: string): Promise<WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // `/firms/northgate`
  const firm = page.split('/', 3).join('/');
  return windows.filter(({ url }) => `${new URL(url).pathname}/`.startsWith(`${firm}/`));
}

/** Opens the page that a notification is about: in the window of its firm that was used last, or in a new one. */
async function openPageOf({ data }: Notification): Promise<void> {
  const { page, notification } = data as NotificationData;
  const [window] = await windowsOf(page);
  if (!window) {
    await self.clients.openWindow(page);
    return;
  }
  window.postMessage({ type: 'notification_clicked', id: notification, page });
  await window.focus();
}
