/** What shows the service that an account has signed in with this browser before; it stays when the account signs out. */
const PREFIX = 'firmdesk-device ';

export function rememberDevice(email: string, device: string): void {
  try {
    localStorage.setItem(keyOf(email), device);
  } catch {
    // A browser that keeps nothing is not known the next time.
  }
}

export function knownDevice(email: string): string | undefined {
  try {
    return localStorage.getItem(keyOf(email)) ?? undefined;
  } catch {
    return undefined;
  }
}

function keyOf(email: string): string {
  return PREFIX + email.trim().toLowerCase();
}
