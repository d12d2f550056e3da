/** The key prefix of a secret that proves that an account signed in from this browser before. Signing out does not delete it. */
const PREFIX = 'firmdesk-device ';

export function rememberDevice(email: string, device: string): void {
  try {
    localStorage.setItem(keyOf(email), device);
  } catch {
    // Without storage, the browser counts as new at the next sign-in.
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
