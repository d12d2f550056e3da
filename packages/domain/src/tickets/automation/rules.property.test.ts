/** Random rules on random events: they end, and any interleaving of workers has the same result. */
import type { RuleAction, RuleTrigger } from '@firmdesk/contract';
import { createTag, createTeam, createTicket, createUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { writeTraderMessage } from '../messages/trader-messages.ts';
import { runRules } from './run-rules.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const { firm, token, user } = await createUserWithToken(gateway, {
  permissions: ['view_tickets', 'manage_tickets', 'manage_settings'],
});
const { call } = ticketCalls(gateway, () => token);
const trader = await createUser(services, { firm, role: 'trader' });
const tags = [await createTag(services, { firm }), await createTag(services, { firm })] as const;
const team = await createTeam(services, { firm, members: [user] });

const priorities = ['low', 'normal', 'high', 'urgent'] as const;
const trigger: fc.Arbitrary<RuleTrigger> = fc.oneof(
  fc.constant({ on: 'trader_wrote' } as const),
  fc.record({
    on: fc.constant('property_changed' as const),
    property: fc.constantFrom('priority', 'tags', 'team', 'assignee', 'status', 'assistant'),
  }),
);
const action: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.record({ set: fc.constant('priority' as const), priority: fc.constantFrom(...priorities) }),
  fc.record({
    set: fc.constantFrom('add_tag' as const, 'remove_tag' as const),
    tag: fc.constantFrom(...tags),
  }),
  fc.record({ set: fc.constant('team' as const), team: fc.constantFrom(team, null) }),
  fc.record({ set: fc.constant('assignee' as const), assignee: fc.constantFrom(user.id, null) }),
  fc.record({
    set: fc.constant('status' as const),
    status: fc.constantFrom('awaiting_admin' as const, 'awaiting_trader' as const),
  }),
  fc.record({ set: fc.constant('note' as const), body: fc.constantFrom('First', 'Second') }),
  fc.record({ set: fc.constant('assistant' as const), enabled: fc.boolean() }),
);
const rule = fc.record({
  trigger,
  conditions: fc.record({
    filter: fc.record(
      {
        priority: fc.constantFrom('high', 'normal,low', '-urgent'),
        tag: fc.constantFrom(String(tags[0]), `-${tags[1]}`),
      },
      { requiredKeys: [] },
    ),
    words: fc.constantFrom([], ['payout'], ['refund']),
  }),
  actions: fc.array(action, { minLength: 1, maxLength: 3 }),
  stops: fc.boolean(),
});

/** What people do to a ticket. */
const deed = fc.oneof(
  fc.record({ write: fc.constantFrom('A payout', 'A refund') }),
  fc.record({ priority: fc.constantFrom(...priorities) }),
  fc.record({ tags: fc.subarray([...tags]) }),
  fc.record({ team: fc.constantFrom(team, null) }),
);

async function act(ticket: string, what: object): Promise<void> {
  if ('write' in what)
    await withTransaction(services, (ctx) =>
      writeTraderMessage(
        { ...ctx, workspace: firm },
        { ticket, from: trader.email, body: String(what.write), via_email: false },
      ),
    );
  else if ('priority' in what) await call('setPriority', { ticket, ...what });
  else if ('tags' in what) await call('setTags', { ticket, ...what });
  else await call('assign', { ticket, ...what });
}

/** Everything that rules change of a ticket, and its history without ids and times. */
async function outcome(ticket: string) {
  const { status, priority, ai_enabled, assignee, team: of, tags: has } = await call('get', { ticket });
  const { data: messages } = await call('messages', { ticket });
  const { rows: history } = await services.pool.query(
    `select actor_kind, action, before, after from audit_events
     where workspace_id = $1 and target_id = $2 order by id`,
    [firm.id, ticket],
  );
  return {
    ...{ status, priority, ai_enabled, assignee: assignee?.id, team: of?.id },
    tags: has.map(({ id }: { id: number }) => id),
    messages: messages.map(({ body, author }: { body: string; author: string }) => [author, body]),
    history,
  };
}

test('random rules end, with the same result in any interleaving of workers', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rule, { minLength: 1, maxLength: 6 }),
      fc.array(deed, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 2, max: 5 }),
      async (rules, deeds, workers) => {
        await services.pool.query('delete from ticket_rules where workspace_id = $1', [firm.id]);
        for (const [i, each] of rules.entries()) await call('rules.create', { name: `Rule ${i}`, ...each });
        const tickets: string[] = [];
        for (let i = 0; i < 3; i++)
          tickets.push(await createTicket(services, { firm, trader, status: 'awaiting_admin' }));
        for (const ticket of tickets) for (const what of deeds) await act(ticket, what);
        const [alone, ...together] = tickets as [string, ...string[]];
        await runRules(services, { workspace: firm.id, ticket: alone });
        await Promise.all(
          Array.from({ length: workers }, (_, i) => (i % 2 === 0 ? together : together.toReversed()))
            .flat()
            .map((ticket) => runRules(services, { workspace: firm.id, ticket })),
        );
        const { rows } = await services.pool.query('select from rule_events where workspace_id = $1', [
          firm.id,
        ]);
        expect(rows).toEqual([]);
        const [expected, ...others] = await Promise.all(tickets.map(outcome));
        for (const other of others) expect(other).toEqual(expected);
        const paused = await services.pool.query(
          'select paused_because from ticket_rules where workspace_id = $1 and not is_on',
          [firm.id],
        );
        expect(paused.rows).toEqual([]);
      },
    ),
    { numRuns: 8 },
  );
});
