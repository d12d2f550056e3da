import { hash, verify } from '@node-rs/argon2';

/** argon2id with OWASP's first parameters: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Verified in place of a hash that is not there, so that an unknown account takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return passwordHash !== null && matches;
}
