/** The limits that slow down password guessing, and the sign-ins that they must not delay. */

import { createToken } from '@firmdesk/testing';
import {
  createUserWithPassword,
  PASSWORD,
  readTrustedProxies,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { storeSecret } from '../access/sign-in/second-factor.ts';
import { codeAt } from '../access/sign-in/totp.ts';
import { withTransaction } from '../platform/database/transaction.ts';

const SIGN_IN = 'POST /v1/sessions';
const trustedProxies = readTrustedProxies('1');
// Without a limit of calls: that one is another limit.
const gateway = await suiteGateway({ rateLimitPerMinute: 0, limitsSignIns: true, trustedProxies });
const unlimited = await suiteGateway({ trustedProxies });

let addresses = 0;
/** Returns an IP address that no other call uses. */
const newAddress = () => `198.18.${Math.floor(++addresses / 256)}.${addresses % 256}`;

interface Attempt {
  password?: string;
  address?: string;
  device?: string;
}
async function signIn(email: string, { password = PASSWORD, address, device }: Attempt = {}, at = gateway) {
  const answer = await at.request(SIGN_IN, {
    body: { email, password, ...(device !== undefined && { device }) },
    headers: { 'x-forwarded-for': address ?? newAddress() },
  });
  const retryAfter = answer.headers.get('retry-after');
  return {
    code: answer.body.error?.code ?? null,
    retryAfter: retryAfter && Number(retryAfter),
    device: answer.body.data?.device,
  };
}
const guess = (email: string, address?: string) =>
  signIn(email, { password: 'wrong', ...(address !== undefined && { address }) });

describe('many wrong passwords from one address', () => {
  test('do not delay sign-ins from other addresses', async () => {
    const { user } = await createUserWithPassword(unlimited);
    const address = newAddress();
    let verified = 0;
    const guesses = Array.from({ length: 300 }, async (_, i) => {
      const { code } = await signIn(`${i}@example.com`, { password: 'wrong', address }, unlimited);
      if (code === 'invalid_credentials') verified++;
      return code;
    });
    await expect.poll(() => verified).toBeGreaterThan(0);
    const before = verified;
    expect((await signIn(user.email, {}, unlimited)).code).toBe(null);
    // Addresses take turns: the sign-in waits for the running verifications, and for at most one more of the other address.
    expect(verified - before).toBeLessThan(30);
    const codes = new Set(await Promise.all(guesses));
    expect(codes).toEqual(new Set(['invalid_credentials', 'rate_limited']));
  });

  test('are limited, IPv6 addresses by their /64', async () => {
    const network = '2001:db8:7:9';
    const codes = await Promise.all(
      Array.from({ length: 61 }, (_, i) =>
        guess(`v6-${i}@example.com`, `${network}::${(i + 1).toString(16)}`),
      ),
    );
    expect(codes.filter(({ code }) => code === 'rate_limited')).toHaveLength(1);
    expect((await guess('next@example.com', `${network}:ffff:1:2:3`)).code).toBe('rate_limited');
    expect((await guess('next@example.com', '2001:db8:7:a::1')).code).toBe('invalid_credentials');
  });
});

describe('an account with wrong passwords', () => {
  /** Guesses from a new address each time, waiting as long as `Retry-After` says. Returns each `Retry-After`, or else the error code. */
  async function guesses(email: string, count: number) {
    const answers: unknown[] = [];
    for (let i = 0; i < count; i++) {
      const { code, retryAfter } = await guess(email);
      answers.push(retryAfter ?? code);
      if (retryAfter) gateway.clock.advance(retryAfter * 1000);
    }
    return answers;
  }

  test('is delayed progressively across addresses, like an account that does not exist', async () => {
    const { user } = await createUserWithPassword(gateway);
    const wrong = 'invalid_credentials';
    const expected = [...Array(10).fill(wrong), 1, wrong, 2, wrong, 4, wrong, 8, wrong, 16];
    expect(await guesses(user.email, expected.length)).toEqual(expected);
    expect(await guesses(`${user.id}@example.com`, expected.length)).toEqual(expected);
  });

  test('counts concurrent attempts, and spellings of its email that the database treats as equal', async () => {
    const { user } = await createUserWithPassword(gateway);
    const spellings = [user.email, user.email.toUpperCase(), user.email.replace('person', 'PERSON')];
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => guess(spellings[i % 3]!)));
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === 'invalid_credentials').length).toBeLessThanOrEqual(10);
    expect(codes).toContain('rate_limited');
  });

  test('is delayed by at most 15 minutes, and reset after an hour', async () => {
    const email = 'often@example.com';
    await guesses(email, 40);
    gateway.clock.advance(15 * 60_000);
    expect((await guess(email)).code).toBe('invalid_credentials');
    expect((await guess(email)).retryAfter).toBe(900);
    gateway.clock.advance(60 * 60_000);
    expect(await guesses(email, 10)).toEqual(Array(10).fill('invalid_credentials'));
  });

  test('accepts the correct password only from a known device while it is delayed', async () => {
    const { user } = await createUserWithPassword(gateway);
    const other = await createUserWithPassword(gateway);
    const { device } = await signIn(user.email);
    const foreign = (await signIn(other.user.email)).device;
    await guesses(user.email, 16);
    expect((await signIn(user.email)).code).toBe('rate_limited');
    const last = device.slice(-1) === 'A' ? 'E' : 'A';
    for (const proof of [foreign, device.slice(0, -1) + last, 'fdd_', 'x']) {
      expect((await signIn(user.email, { device: proof })).code).toBe('rate_limited');
    }
    expect((await signIn(user.email, { device })).code).toBe(null);
    // The known device's sign-in does not reset the delay for others.
    expect((await signIn(user.email)).code).toBe('rate_limited');
  });

  test('delays a known device that guesses, separately', async () => {
    const { user } = await createUserWithPassword(gateway);
    const { device } = await signIn(user.email);
    for (let i = 0; i < 10; i++) await signIn(user.email, { device, password: 'wrong' });
    expect(await signIn(user.email, { device })).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
    expect((await signIn(user.email)).code).toBe(null);
  });

  test('is reset by the correct password', async () => {
    const { user } = await createUserWithPassword(gateway);
    for (let round = 0; round < 2; round++) {
      expect(await guesses(user.email, 9)).toEqual(Array(9).fill('invalid_credentials'));
      expect((await signIn(user.email)).code).toBe(null);
    }
  });

  test('is not reset by the password of another account with a similar email', async () => {
    const { user } = await createUserWithPassword(gateway);
    const other = await createUserWithPassword(gateway);
    const lookAlike = user.email.replace('person', 'pérson');
    await gateway.services.pool.query('update users set email = $2 where id = $1', [
      other.user.id,
      lookAlike,
    ]);
    expect(await guesses(user.email, 9)).toEqual(Array(9).fill('invalid_credentials'));
    expect((await signIn(lookAlike)).code).toBe(null);
    expect(await guesses(user.email, 2)).toEqual(['invalid_credentials', 1]);
  });

  test('is delayed for password changes too, across sessions', async () => {
    const { user, firm } = await createUserWithPassword(gateway);
    const body = { current_password: 'wrong', new_password: 'another correct horse' };
    const codes: string[] = [];
    for (let i = 0; i < 12; i++) {
      const { text: token } = await createToken(gateway.services, {
        user,
        workspace: firm.slug,
        kind: 'device',
      });
      const headers = { 'x-forwarded-for': newAddress() };
      codes.push((await gateway.request('PUT /v1/me/password', { token, body, headers })).body.error.code);
    }
    expect(codes).toEqual([...Array(10).fill('validation_failed'), 'rate_limited', 'rate_limited']);
    expect((await signIn(user.email)).code).toBe(null);
  });
});

describe('wrong codes of a second factor', () => {
  const KEY = Buffer.from('12345678901234567890');
  const codeNow = () => codeAt(KEY, Math.floor(gateway.clock.now().getTime() / 30_000));

  /** An account with a second factor, and a device that has signed in to it before. */
  async function protect() {
    const { user, firm } = await createUserWithPassword(gateway);
    const { device } = await signIn(user.email);
    await withTransaction(gateway.services, async (ctx) => {
      await storeSecret(ctx, user.id, KEY);
      await ctx.db
        .updateTable('second_factors')
        .set({ confirmed_at: ctx.now })
        .where('user_id', '=', user.id)
        .execute();
    });
    return { user, firm, device };
  }
  async function answer(email: string, code: string, { address = newAddress(), device }: Attempt = {}) {
    const body = { email, password: PASSWORD, code, ...(device !== undefined && { device }) };
    const { body: got, headers } = await gateway.request(SIGN_IN, {
      body,
      headers: { 'x-forwarded-for': address },
    });
    return {
      code: got.error?.code ?? null,
      retryAfter: Number(headers.get('retry-after')),
      challenge: got.error?.challenge,
    };
  }

  test('from one address do not delay codes from another, of a known device or of a session', async () => {
    const { user, firm, device } = await protect();
    const stranger = newAddress();
    const codes = [];
    for (let i = 0; i < 15; i++) {
      codes.push((await answer(user.email, '000000', { address: stranger })).code);
      gateway.clock.advance(7_000);
    }
    expect(codes).toContain('rate_limited');
    expect((await answer(user.email, codeNow())).code).toBeNull();
    gateway.clock.advance(30_000);
    expect((await answer(user.email, codeNow(), { address: stranger, device })).code).toBeNull();
    gateway.clock.advance(30_000);
    const { text: token } = await createToken(gateway.services, {
      user,
      workspace: firm.slug,
      kind: 'device',
    });
    const headers = { 'x-forwarded-for': stranger };
    const confirmed = await gateway.rpc('sessions.confirm', { token, body: { code: codeNow() }, headers });
    expect(confirmed.code).toBeNull();
  });

  test('of a challenge are counted, whatever addresses they come from', async () => {
    const { user } = await protect();
    const { body } = await gateway.request(SIGN_IN, {
      body: { email: user.email, password: PASSWORD },
      headers: { 'x-forwarded-for': newAddress() },
    });
    const { challenge } = body.error;
    const codes = [];
    for (let i = 0; i < 11; i++) {
      const headers = { 'x-forwarded-for': newAddress() };
      codes.push(
        (await gateway.request(SIGN_IN, { body: { challenge, code: '000000' }, headers })).body.error.code,
      );
    }
    expect(codes).toEqual([...Array(10).fill('invalid_code'), 'rate_limited']);
  });

  test('from many addresses slow the account by at most half a minute, and a known device not at all', async () => {
    const { user, device } = await protect();
    let longest = 0;
    for (let i = 0; i < 125; i++) {
      const { retryAfter } = await answer(user.email, '000000');
      if (retryAfter === 0) continue;
      longest = Math.max(longest, retryAfter);
      gateway.clock.advance(retryAfter * 1_000);
    }
    expect(longest).toBe(30);
    expect((await answer(user.email, '000000')).code).toBe('invalid_code');
    expect((await answer(user.email, codeNow())).code).toBe('rate_limited');
    expect((await answer(user.email, codeNow(), { device })).code).toBeNull();
    gateway.clock.advance(30_000);
    expect((await answer(user.email, codeNow())).code).toBeNull();
  });

  test('in many sessions of the account are counted together, and delay no sign-in', async () => {
    const { user, firm, device } = await protect();
    /** Confirms a new session, as one that a firm's provider opens, from a new address. */
    const confirm = async (code: string) => {
      const { text: token } = await createToken(gateway.services, {
        user,
        workspace: firm.slug,
        kind: 'device',
      });
      const headers = { 'x-forwarded-for': newAddress() };
      const { code: error, headers: got } = await gateway.rpc('sessions.confirm', {
        token,
        body: { code },
        headers,
      });
      return { error, retryAfter: Number(got.get('retry-after')) };
    };
    let longest = 0;
    for (let i = 0; i < 120; i++) {
      const { error, retryAfter } = await confirm('000000');
      expect(['invalid_code', 'rate_limited']).toContain(error);
      longest = Math.max(longest, retryAfter);
      gateway.clock.advance(retryAfter * 1_000);
    }
    expect(longest).toBe(30);
    await confirm('000000');
    expect((await confirm(codeNow())).error).toBe('rate_limited');
    expect((await answer(user.email, codeNow(), { device })).code).toBeNull();
    gateway.clock.advance(30_000);
    expect((await answer(user.email, codeNow())).code).toBeNull();
    gateway.clock.advance(30_000);
    expect((await confirm(codeNow())).error).toBeNull();
  });
});

test('verifies a password without waiting for a lock on the account', async () => {
  const { user } = await createUserWithPassword(gateway);
  const holder = await gateway.services.pool.connect();
  await holder.query('begin');
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('account ' || $1, 0))`, [user.id]);
  try {
    expect((await guess(user.email)).code).toBe('invalid_credentials');
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

test('requests for a new password by strangers do not keep the owner from one', async () => {
  const { user } = await createUserWithPassword(gateway);
  const request = async (address: string) =>
    (
      await gateway.rpc('sessions.requestPasswordReset', {
        body: { email: user.email },
        headers: { 'x-forwarded-for': address },
      })
    ).code;
  for (let i = 0; i < 15; i++) expect(await request(newAddress())).toBeNull();
  const one = newAddress();
  const codes = [];
  for (let i = 0; i < 12; i++) codes.push(await request(one));
  expect(codes.at(-1)).toBe('rate_limited');
});
