import { hash, verify } from '@node-rs/argon2';
import { addressKey } from '../../platform/address-key.ts';
import { FairSemaphore } from '../../platform/process/fair-semaphore.ts';

/** Limits concurrent verifications: each occupies a core and one of libuv's four threads. */
const semaphore = new FairSemaphore(3);

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Verified in place of a missing hash, so that an unknown account takes as long as a wrong password. */
let dummyHash: Promise<string> | undefined;

/** Returns the argon2id hash of a password in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** Returns whether a password matches a hash; false without a hash. Takes the same time in all cases. */
export async function matchesHash(password: string, passwordHash: string | null): Promise<boolean> {
  dummyHash ??= hashPassword('no account has this password');
  const matches = await verify(passwordHash ?? (await dummyHash), password);
  return passwordHash !== null && matches;
}

/**
 * Returns the hash that `find` returns if the password matches it, otherwise null. Waits for a permit; addresses are served
 * round-robin, so that a burst from one does not delay the others. Holds no connection while it waits.
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
