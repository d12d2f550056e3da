import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { openTestServices } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { closeServices, createServices } from '../../app/services.ts';

const macOf = (secret: KeyObject) => createHmac('sha256', secret).update('text').digest('hex');

test('during a rotation, every process accepts what any other has signed', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const a = base.services;
  const b = await createServices({ databaseUrl: base.databaseUrl });
  const sign = async (services: typeof a) => macOf(await services.secret.current());
  const isValid = (services: typeof a, mac: string) =>
    services.secret.verify((secret) => (macOf(secret) === mac ? true : null));
  try {
    const before = await sign(a);
    expect(await isValid(b, before)).toBe(true);

    expect(await b.secret.rotate()).toBe(true);
    // `a` still signs with the secret that it knows, and a new process with the new one.
    expect(await sign(a)).toBe(before);
    const c = await createServices({ databaseUrl: base.databaseUrl });
    const after = await sign(c);
    expect(after).not.toBe(before);
    expect(await isValid(c, before)).toBe(true);
    // `a` reads the secrets again when it meets one that it does not know, at most once a second.
    await expect.poll(() => isValid(a, after)).toBe(true);
    expect(await isValid(a, before)).toBe(true);
    expect(await sign(a)).toBe(after);
    await closeServices(c);

    expect(await isValid(a, macOf(createSecretKey(Buffer.from('foreign'))))).toBeNull();
    expect(await a.secret.rotate()).toBe(false);
    await a.pool.query(`update installation set rotated_at = now() - interval '6 minutes'`);
    expect(await a.secret.rotate()).toBe(true);
    const d = await createServices({ databaseUrl: base.databaseUrl });
    expect(await isValid(d, after)).toBe(true);
    // What was signed two rotations ago is not valid any more.
    expect(await isValid(d, before)).toBeNull();
    await closeServices(d);
  } finally {
    await closeServices(b);
  }
});
