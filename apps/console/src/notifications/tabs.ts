import { firm } from '../session/firm.ts';

/** A tab keeps its claims, because another one may receive a notification later: after it was offline. */
const MAX_CLAIMS = 100;

/** Each visible tab of the firm holds a lock with this prefix. */
const VISIBLE = `firmdesk.visible.${firm}.`;
const ownLock = VISIBLE + crypto.randomUUID();

const claims: (() => void)[] = [];

/** Returns whether this tab may alert to a notification: no other tab does. Locks need HTTPS; without them every tab may. */
export function claimAlert(notificationId: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (!('locks' in navigator)) return resolve(true);
    void navigator.locks.request(`firmdesk.alert.${notificationId}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      if (lock === null) return;
      if (claims.length === MAX_CLAIMS) claims.shift()!();
      return new Promise<void>((release) => claims.push(release));
    });
  });
}

/** Shows other tabs whether this one is visible, until the returned function is called. */
export function shareVisibility(): () => void {
  if (!('locks' in navigator)) return () => {};
  let release = () => {};
  const share = () => {
    release();
    if (document.visibilityState !== 'visible') return;
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    void navigator.locks.request(ownLock, () => promise);
  };
  share();
  document.addEventListener('visibilitychange', share);
  return () => {
    document.removeEventListener('visibilitychange', share);
    release();
  };
}

/** Returns whether another tab of the firm is visible. */
export async function isOtherTabVisible(): Promise<boolean> {
  if (!('locks' in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name = '' }) => name.startsWith(VISIBLE) && name !== ownLock);
}
