import {
  type PreRegistration,
  type PreRegistrationAction,
  type PreRegistrationStatus,
  preRegistrationStatuses,
  preRegistrationTransitions,
} from '@firmdesk/contract';
import { createWorkspace, openTestServices, type TestServices, unique } from '@firmdesk/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withTransaction } from '../platform/database/transaction.ts';
import {
  claimPreRegistration,
  expirePreRegistrations,
  revokePreRegistration,
} from './end-pre-registration.ts';
import { listPreRegistrations } from './list-pre-registrations.ts';
import { preRegister } from './pre-register.ts';
import type { FirmContext } from './pre-registration.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

/** Creates a firm. Returns the operations on its pre-registrations. */
async function openFirm() {
  const workspace = await createWorkspace(base.services);
  const run = <T>(operation: (ctx: FirmContext) => Promise<T>) =>
    withTransaction(base.services, (ctx) => operation({ ...ctx, workspace }));
  return {
    preRegister: (lifeMs: number | null, code = unique('code'), email = 'kim@example.com') =>
      run((ctx) =>
        preRegister(ctx, {
          email,
          referral_code: code,
          referral_url: 'https://firm.example/r',
          source: 'api',
          metadata: {},
          ...(lifeMs !== null && { expires_at: new Date(ctx.now.getTime() + lifeMs).toISOString() }),
        }),
      ),
    claim: (id: string) => run((ctx) => claimPreRegistration(ctx, { id })),
    revoke: (id: string) => run((ctx) => revokePreRegistration(ctx, { id })),
    list: (input: {
      status?: PreRegistrationStatus;
      email?: string;
      limit: number;
      starting_after?: string;
    }) =>
      run((ctx) =>
        listPreRegistrations(ctx, {
          status: input.status,
          email: input.email,
          limit: input.limit,
          starting_after: input.starting_after,
        }),
      ),
    stored: (id: string) =>
      run(async ({ db }) => {
        const row = await db
          .selectFrom('affiliate_pre_registrations')
          .select(['status', 'claimed_at'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        return row;
      }),
  };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { apiCode: string }) => error.apiCode,
  );

test('every status but `pending` is final, and is reached by one action', () => {
  const transitions = Object.values(preRegistrationTransitions);
  expect(transitions.map(({ from }) => from)).toEqual(transitions.map(() => 'pending'));
  expect(transitions.map(({ to }) => to).sort()).toEqual(
    preRegistrationStatuses.filter((status) => status !== 'pending').sort(),
  );
});

test('any sequence of actions follows the transition table', async () => {
  type Step = PreRegistrationAction | 'wait';
  const step = fc.constantFrom<Step>('claim', 'revoke', 'expire', 'wait', 'wait');
  await fc.assert(
    fc.asyncProperty(
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      async (lifeSeconds, steps) => {
        const firm = await openFirm();
        const { id } = await firm.preRegister(lifeSeconds === null ? null : lifeSeconds * 1000);
        let state: PreRegistrationStatus = 'pending';
        let ageSeconds = 0;
        for (const step of steps) {
          if (step === 'wait') {
            base.clock.advance(1000);
            ageSeconds++;
            // It expires at its time, even if the job has not run.
            if (state === 'pending' && lifeSeconds !== null && ageSeconds >= lifeSeconds) {
              state = preRegistrationTransitions.expire.to;
            }
          } else if (step === 'expire') {
            await expirePreRegistrations(base.services);
            expect((await firm.stored(id)).status).toBe(state);
          } else {
            const { from, to } = preRegistrationTransitions[step];
            const isAllowed = state === from;
            if (isAllowed) state = to;
            expect(await codeOf(firm[step](id))).toBe(isAllowed ? 'done' : 'pre_registration_ended');
          }
          const { data } = await firm.list({ limit: 2 });
          expect(data.map(({ status }) => status)).toEqual([state]);
          expect(data[0]!.claimed_at !== null).toBe(state === 'claimed');
          for (const status of preRegistrationStatuses) {
            expect((await firm.list({ status, limit: 2 })).data).toHaveLength(status === state ? 1 : 0);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('one of several concurrent claims and revocations succeeds', async () => {
  const firm = await openFirm();
  for (let round = 0; round < 10; round++) {
    const { id } = await firm.preRegister(null);
    const answers = await Promise.all([
      codeOf(firm.claim(id)),
      codeOf(firm.revoke(id)),
      codeOf(firm.claim(id)),
    ]);
    expect(answers.sort()).toEqual(['done', 'pre_registration_ended', 'pre_registration_ended']);
  }
});

test('reserves a code once, case-insensitively: concurrently, while pending, and permanently once claimed', async () => {
  const firm = await openFirm();
  const race = await Promise.all(Array.from({ length: 5 }, () => codeOf(firm.preRegister(null, 'ALPHA'))));
  expect(race.sort()).toEqual(['done', ...Array(4).fill('validation_failed')]);
  expect(await codeOf(firm.preRegister(null, 'alpha'))).toBe('validation_failed');
  expect(await codeOf((await openFirm()).preRegister(null, 'ALPHA'))).toBe('done');

  const revoked = await firm.preRegister(null, 'BETA');
  await firm.revoke(revoked.id);
  const expired = await firm.preRegister(1000, 'BETA');
  base.clock.advance(1000);
  const claimed = await firm.preRegister(1000, 'BETA');
  await firm.claim(claimed.id);
  base.clock.advance(1000);
  expect(await codeOf(firm.preRegister(null, 'beta'))).toBe('validation_failed');
  expect((await firm.list({ limit: 5, status: 'expired' })).data.map(({ id }) => id)).toEqual([expired.id]);
});

test('concurrent workers expire each pre-registration once, in batches', async () => {
  const firm = await openFirm();
  await expirePreRegistrations(base.services);
  for (let i = 0; i < 23; i++) await firm.preRegister(1000);
  const live = await firm.preRegister(2000);
  base.clock.advance(999);
  expect(await expirePreRegistrations(base.services, 5)).toBe(0);
  base.clock.advance(1);
  const counts = await Promise.all([1, 2, 3].map(() => expirePreRegistrations(base.services, 5)));
  const rest = await expirePreRegistrations(base.services, 5);
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(23);
  expect((await firm.stored(live.id)).status).toBe('pending');
});

test('paging shows each pre-registration once, newest first, while others are added, ended and expire', async () => {
  const life = fc.constantFrom(null, 5, 50);
  const preRegistration = fc.record({ gap: fc.integer({ min: 0, max: 2 }), life, kim: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        before: fc.array(preRegistration, { maxLength: 12 }),
        ends: fc.array(fc.record({ at: fc.nat(11), action: fc.constantFrom('claim', 'revoke') }), {
          maxLength: 6,
        }),
        status: fc.constantFrom(undefined, ...preRegistrationStatuses),
        email: fc.constantFrom(undefined, 'kim@example.com', 'KIM@Example.COM'),
        limit: fc.integer({ min: 1, max: 5 }),
        between: fc.array(
          fc.record({
            arrive: fc.array(preRegistration, { maxLength: 3 }),
            runJob: fc.boolean(),
            endLast: fc.boolean(),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
      async ({ before, ends, status, email, limit, between }) => {
        const firm = await openFirm();
        const add = ({ gap, life, kim }: (typeof before)[number]): Promise<PreRegistration> => {
          base.clock.advance(gap);
          return firm.preRegister(life, undefined, kim ? 'Kim@example.com' : 'lee@example.com');
        };
        const rows: PreRegistration[] = [];
        for (const one of before) rows.push(await add(one));
        for (const { at, action } of ends) {
          if (rows[at]) await codeOf(firm[action](rows[at].id));
        }
        const matching = async () => {
          const { data } = await firm.list({ limit: 100 });
          return data.filter(
            (row) =>
              rows.some(({ id }) => id === row.id) &&
              (status === undefined || row.status === status) &&
              (email === undefined || row.email.toLowerCase() === email.toLowerCase()),
          );
        };
        const atStart = await matching();
        const seen: PreRegistration[] = [];
        let cursor: string | undefined;
        for (let pages = 0; ; pages++) {
          const { data, meta } = await firm.list({
            limit,
            ...(status && { status }),
            ...(email && { email }),
            ...(cursor && { starting_after: cursor }),
          });
          seen.push(...data);
          expect(meta.has_more).toBe(meta.next_cursor !== null);
          if (meta.next_cursor === null) break;
          expect(data).toHaveLength(limit);
          expect(meta.next_cursor).toBe(data.at(-1)!.id);
          cursor = meta.next_cursor;
          const { arrive, runJob, endLast } = between[pages % between.length]!;
          for (const one of arrive) await add({ ...one, gap: one.gap + 1 });
          if (runJob) await expirePreRegistrations(base.services);
          if (endLast) await codeOf(firm.revoke(cursor));
        }
        // All rows that matched at the start and still match must be shown, no row twice, and only rows that match.
        const atEnd = new Set((await matching()).map(({ id }) => id));
        const shown = seen.map(({ id }) => id);
        expect(shown).toEqual(
          expect.arrayContaining(atStart.map(({ id }) => id).filter((id) => atEnd.has(id))),
        );
        expect(new Set(shown).size).toBe(shown.length);
        for (const row of seen) {
          if (status !== undefined) expect(row.status).toBe(status);
          if (email !== undefined) expect(row.email.toLowerCase()).toBe(email.toLowerCase());
        }
        const order = seen.map(({ created_at, id }) => `${created_at} ${id}`);
        expect(order).toEqual(order.toSorted().reverse());
      },
    ),
    { numRuns: 60 },
  );
});
