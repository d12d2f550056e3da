import { client } from '../api.ts';
import { firm } from '../session/firm.ts';
import { storedValue } from '../stored-value.ts';

/** The subscription that this browser registered for an account: of which session it was, and its URL. */
interface Subscribed {
  session: string;
  endpoint: string;
}

/** How a browser is told to allow notifications again. */
export const BLOCKED =
  'Blocked by your browser. Select the icon beside the address, allow notifications, and reload this page.';

const subscribedOf = (userId: string) =>
  storedValue(`browser-push.${firm}.${userId}`, (stored) => stored as Subscribed | null);

/** Returns whether this browser can receive pushes. Browsers on phones offer it only to installed applications. */
export function canPush(): boolean {
  return 'PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window;
}

/** Returns whether the user has told the browser to show no notifications of this site. */
export function isBlocked(): boolean {
  return canPush() && Notification.permission === 'denied';
}

/** Asks for the browser's permission, and subscribes the session to pushes if it is given. Returns false if it was refused for good. */
export async function subscribe(publicKey: string, userId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return !isBlocked();
  await register(publicKey, userId);
  return true;
}

/** Ends pushes to the session. The subscription of the browser stays, because sessions of other firms may use it. */
export async function unsubscribe(userId: string, session: string | null): Promise<void> {
  subscribedOf(userId).set(null);
  if (session !== null) await client.devices.remove.mutate({ app: 'browser', session });
}

/**
 * Subscribes again if this browser was subscribed by an earlier session of the account, or the browser has replaced its subscription. What was
 * ended on another device stays ended.
 */
export async function keepSubscribed(userId: string): Promise<void> {
  // Without a network, or its push service, the next page tries again.
  await subscribeAgain(userId).catch(() => {});
}

async function subscribeAgain(userId: string): Promise<void> {
  const subscribed = subscribedOf(userId);
  const last = subscribed.get();
  if (!last || !canPush() || Notification.permission !== 'granted') return;
  const { public_key: publicKey } = await client.devices.browserKey.query();
  const registrations = await client.devices.list.query({});
  const current = await (await pushManager()).getSubscription();
  const isSame = current?.endpoint === last.endpoint && keyOf(current) === publicKey;
  const isRegistered = registrations.some((each) => each.app === 'browser' && each.current);
  if (publicKey === null || (isSame && isRegistered)) return;
  if (isSame) {
    const sessions = await client.sessions.list.query();
    if (sessions.some(({ id, current }) => current && id === last.session)) return subscribed.set(null);
  }
  await register(publicKey, userId);
}

async function register(publicKey: string, userId: string): Promise<void> {
  const manager = await pushManager();
  const known = await manager.getSubscription();
  // A subscription is for one key for good.
  if (known && keyOf(known) !== publicKey) await known.unsubscribe();
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { session } = await client.devices.registerBrowser.mutate({
    endpoint,
    keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  subscribedOf(userId).set({ session, endpoint });
}

async function pushManager(): Promise<PushManager> {
  // A service worker that is being installed is waited for.
  await navigator.serviceWorker.register('/service-worker.js');
  return (await navigator.serviceWorker.ready).pushManager;
}

/** Returns the key of a subscription in base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
