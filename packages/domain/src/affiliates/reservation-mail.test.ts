import { randomUUID } from 'node:crypto';
import type { PreRegistration } from '@firmdesk/contract';
import {
  createSandbox,
  createToken,
  createUser,
  type FarEnd,
  startFarEnd,
  TestLog,
  unique,
} from '@firmdesk/testing';
import { commonCases, createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openSmtp } from '../mail/sending/smtp.ts';
import { runSending } from '../mail/sending/testing.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import {
  claimPreRegistration,
  expirePreRegistrations,
  revokePreRegistration,
} from './end-pre-registration.ts';
import { preRegister } from './pre-register.ts';

const RESEND = 'POST /v1/affiliates/pre-registrations/{id}/resend';
const MINUTE = 60_000;
const farEnd = await startFarEnd();
const gateway = await suiteGateway();
const { services, clock } = gateway;
const server = openSmtp({ url: farEnd.url, password: null, dkim: null, log: new TestLog() });
services.mail = { domains: ['desk.example'], server };
afterAll(async () => {
  await server.close();
  await farEnd[Symbol.asyncDispose]();
});

let firm: Firm;
let token: string;
let email: string;

beforeEach(async () => {
  ({ firm, token } = await createUserWithToken(gateway, { scopes: ['affiliates:write'] }));
  email = `${unique('kim')}@elsewhere.example`;
});

const inFirm = <T>(
  operation: (ctx: Parameters<typeof preRegister>[0]) => Promise<T>,
  at: { id: number } = firm,
) => withTransaction(services, (ctx) => operation({ ...ctx, workspace: at }));
const inMs = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();
const reserve = (over: { expires_at?: string; referral_url?: string } = {}, at: { id: number } = firm) =>
  inFirm(
    (ctx) =>
      preRegister(ctx, {
        email,
        referral_code: unique('KIM'),
        referral_url: 'https://firm.example/?ref=KIM&x=1',
        source: 'api',
        metadata: {},
        ...over,
      }),
    at,
  );
const resend = (id: string, key: string = randomUUID(), by = token) =>
  gateway.request(`POST /v1/affiliates/pre-registrations/${id}/resend`, { token: by, key, body: {} });
const mails = (): FarEnd['accepted'] => farEnd.accepted.filter(({ to }) => to.includes(email));
const codeOf = ({ status, body }: Awaited<ReturnType<typeof resend>>) => [status, body.error?.code];

commonCases(gateway, RESEND, async ({ firm }) => {
  const { id } = await reserve({}, firm);
  clock.advance(11 * MINUTE);
  return { params: { id } };
});

describe('a reservation', () => {
  test('sends a mail with the link and the end of the reservation', async () => {
    await reserve({ expires_at: '2099-12-31T23:59:00Z' });
    await runSending(services);
    const [mail, ...others] = mails();
    expect(others).toEqual([]);
    expect(mail!.raw).toContain('text/plain');
    expect(mail!.raw).toContain('text/html');
    expect(mail!.raw).toMatch(/^Auto-Submitted: auto-generated/m);
    const text = mail!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(text).toContain('https://firm.example/?ref=KIM&x=1');
    expect(text).toContain('2099-12-31 23:59 UTC');
  });

  test('without an end has no line about one', async () => {
    await reserve();
    await runSending(services);
    expect(mails()[0]!.raw).not.toMatch(/reservation ends|\{\{/);
  });

  test.each([
    ['revoked', (id: string) => inFirm((ctx) => revokePreRegistration(ctx, { id }))],
    ['claimed', (id: string) => inFirm((ctx) => claimPreRegistration(ctx, { id }))],
    [
      'expired',
      async () => {
        clock.advance(2 * MINUTE);
        await expirePreRegistrations(services);
      },
    ],
    ['past its end', async () => clock.advance(2 * MINUTE)],
  ])('that is %s before its mail is sent gets none', async (_, end) => {
    const { id } = await reserve({ expires_at: inMs(MINUTE) });
    await end(id);
    await runSending(services);
    expect(mails()).toEqual([]);
  });

  test('of a sandbox sends nothing to the outside', async () => {
    await reserve({}, await createSandbox(services, firm));
    await runSending(services);
    expect(mails()).toEqual([]);
  });
});

describe('sending again', () => {
  test('moves `last_sent_at`, at most once in ten minutes', async () => {
    const { id, created_at } = await reserve();
    clock.advance(10 * MINUTE - 1);
    const early = await resend(id);
    expect(codeOf(early)).toEqual([429, 'rate_limited']);
    expect(early.headers.get('retry-after')).toBe('1');
    clock.advance(1);
    const key = randomUUID();
    const { status, body } = await resend(id, key);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id, created_at, last_sent_at: clock.now().toISOString(), status: 'pending' }),
    ]);
    expect((await resend(id, key)).body.data).toEqual(body.data);
    expect(codeOf(await resend(id))).toEqual([429, 'rate_limited']);
    await runSending(services);
    expect(mails()).toHaveLength(2);
  });

  test('is refused for one that has ended, also if it was sent just now', async () => {
    const ended: [string, PreRegistration][] = [
      ['revoked', await inFirm(async (ctx) => revokePreRegistration(ctx, await reserve()))],
      ['claimed', await inFirm(async (ctx) => claimPreRegistration(ctx, await reserve()))],
      ['expired', await reserve({ expires_at: inMs(1) })],
    ];
    clock.advance(1);
    for (const [status, { id }] of ended) {
      const answer = await resend(id);
      expect([status, ...codeOf(answer)]).toEqual([status, 409, 'pre_registration_ended']);
    }
  });

  test('of another firm is not found', async () => {
    const { id } = await reserve();
    clock.advance(11 * MINUTE);
    const other = await createUserWithToken(gateway, { scopes: ['affiliates:write'] });
    expect(codeOf(await resend(id, randomUUID(), other.token))).toEqual([404, 'resource_not_found']);
    expect(codeOf(await resend('aff_pre_00000000000000000000000000'))).toEqual([404, 'resource_not_found']);
  });

  test('needs the scope, and on a device the permission to manage', async () => {
    const { id } = await reserve();
    clock.advance(11 * MINUTE);
    const viewer = await createUser(services, { firm, permissions: ['view_affiliates'] });
    const { text } = await createToken(services, {
      user: viewer,
      workspace: firm.slug,
      kind: 'device',
      scopes: ['affiliates:write'],
    });
    expect(codeOf(await resend(id, randomUUID(), text))).toEqual([403, 'forbidden']);
  });
});
