import { hash, verify } from '@node-rs/argon2';
import { addressKey } from '../platform/address-key.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';

/** Verifying takes a core for a while, and one of the four threads of libuv. */
const semaphore = new FairSemaphore(3);

/** argon2id with OWASP's first parameters: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Verified in place of a hash that is not there, so that an unknown account takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

export async function matchesHash(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return passwordHash !== null && matches;
}

/**
 * Returns the hash that `find` looked up where it is of the password, null otherwise. Takes a turn in which addresses follow
 * each other, so that a rush from one does not hold the others up; while it waits, nothing is held.
 */
export function verifyPassword(
  password: string,
  address: string,
  find: () => Promise<string | null>,
): Promise<string | null> {
  return semaphore.run(addressKey(address), async () => {
    const passwordHash = await find();
    return (await matchesHash(password, passwordHash)) ? passwordHash : null;
  });
}
