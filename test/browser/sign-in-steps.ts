import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { ConsoleUnderTest } from './browser.ts';

/** Serves the console at an address at which browsers accept passkeys, and returns it: they do not for an IP address. */
export function serveAtLocalhost({ url, services }: ConsoleUnderTest): string {
  const local = url.replace('127.0.0.1', 'localhost');
  services.publicUrl = () => local;
  return local;
}

/** Fills the form of the page for signing in, and sends it. */
export async function sendPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Gives a browser an authenticator for passkeys, whose person always agrees. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Returns what an authenticator app shows for a secret in base32. */
export function codeOf(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits
    .join('')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const number = (mac.readUInt32BE(mac.at(-1)! & 15) & 0x7f_ff_ff_ff) % 1_000_000;
  return String(number).padStart(6, '0');
}
