/** Trader, team and assistant act on one ticket in any order, over two nodes. */
import type { Ticket, TicketMessage } from '@firmdesk/contract';
import { startWorkers } from '@firmdesk/domain';
import {
  createTicketFixture,
  createUserWithToken,
  followTicket,
  openAssistantGateway,
  type TicketFixture,
  type Viewer,
} from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const { model, gateway } = await openAssistantGateway();
const node = await gateway.secondNode();
beforeAll(async () => {
  const workers = [await startWorkers(gateway.services), await startWorkers(node.services)];
  afterAll(() => Promise.all(workers.map((worker) => worker.stop())));
});

/** The events of a ticket; `release` ends the replies that the model holds back. */
const steps = ['write', 'command', 'reply', 'stop', 'off', 'on', 'await', 'release', 'end'] as const;
type Step = (typeof steps)[number];
/** How the model answers the next request: immediately, held back, not at all, or after a thought without an opening mark. */
const behaviours = ['reply', 'hold', 'fail', 'think'] as const;

interface Scenario {
  fixture: TicketFixture;
  platform: string;
  ticket: string;
  commands: number;
  release(): void;
}

const calls: Record<Step, (stage: Scenario) => Promise<unknown>> = {
  write: ({ fixture, platform, ticket }) =>
    node.rpc('tickets.platform.write', {
      token: platform,
      body: { ticket, from: fixture.trader.email, body: 'A question.' },
    }),
  command: (stage) => stage.fixture.askAssistant(stage.ticket, `command ${++stage.commands};`),
  reply: (stage) => call(stage, 'reply', { body: 'A person.' }),
  stop: (stage) => call(stage, 'stopAssistant'),
  off: (stage) => call(stage, 'switchAssistant', { enabled: false }),
  on: (stage) => call(stage, 'switchAssistant', { enabled: true }),
  await: (stage) => call(stage, 'setStatus', { status: 'awaiting_admin' }),
  release: async ({ release }) => release(),
  end: (stage) => call(stage, 'setStatus', { status: 'resolved' }),
};

/** Errors with 4xx are expected; 5xx are not. */
async function call({ fixture, ticket }: Scenario, name: string, body: object = {}) {
  const answer = await node.rpc(`tickets.${name}`, { token: fixture.token, body: { ticket, ...body } });
  expect(answer.status, answer.text).toBeLessThan(500);
  return answer.data;
}

/** The model's reply names its request. */
function behave(way: (typeof behaviours)[number], until: Promise<void> = Promise.resolve()): void {
  model.behave(({ body }) => {
    const command = /command \d+;$/.exec(body.messages[1]!.content)?.[0];
    const words = ['Reply to ', command ?? 'the trader.'];
    if (way === 'fail') return { kind: 'error', status: 400 };
    if (way === 'think') return { kind: 'reply', words: ['A thought.', '</think>', ...words], pauseMs: 20 };
    return way === 'hold' ? { kind: 'hold', words, until } : { kind: 'reply', words };
  });
}

const way = fc.constantFrom(...behaviours);
const schedule = fc.array(
  fc.record({
    // Up to two events at the same moment, which then compete for the ticket's lock.
    at: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom<Step>('write', 'command', 'reply', 'release') },
        { weight: 2, arbitrary: fc.constantFrom<Step>('stop', 'off', 'on', 'await') },
        { weight: 1, arbitrary: fc.constant<Step>('end') },
      ),
      { minLength: 1, maxLength: 2 },
    ),
    way,
    /** Whether the test waits for the assistant to begin. */
    isSlow: fc.boolean(),
  }),
  { minLength: 2, maxLength: 7 },
);

test('viewers, readers and the database agree, and a waiting trader is shown to the team, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (moments) => {
      const fixture = await createTicketFixture(gateway);
      const { token: platform } = await createUserWithToken(gateway, { firm: fixture.firm });
      const ticket = await fixture.createTicket({ status: 'awaiting_trader' });
      using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
      let held = Promise.withResolvers<void>();
      const stage: Scenario = {
        fixture,
        platform,
        ticket,
        commands: 0,
        release() {
          held.resolve();
          held = Promise.withResolvers();
        },
      };
      await calls.write(stage);
      for (const { at, way, isSlow } of moments) {
        behave(way, held.promise);
        await Promise.all(at.map((step) => calls[step](stage)));
        gateway.clock.advance(1);
        if (isSlow) await runsBegan(ticket);
      }
      await settle(stage);
      await check(stage, viewer);
    }),
    { numRuns: 40 },
  );
}, 240_000);

interface RunRow {
  kind: 'command' | 'answer';
  state: string;
  message_id: string | null;
}

async function runsOf(ticket: string): Promise<RunRow[]> {
  const { rows } = await gateway.services.pool.query(
    'select kind, state, message_id from assistant_runs where ticket_id = $1 order by id',
    [ticket],
  );
  return rows;
}

/** Waits until no run of the ticket is still to begin. */
async function runsBegan(ticket: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const pending = (await runsOf(ticket)).filter(
        ({ state }) => state === 'waiting' || state === 'running',
      );
      expect(pending[0]?.state ?? 'running').toBe('running');
    },
    { timeout: 30_000, interval: 10 },
  );
}

/** Waits until everything has ended. */
async function settle({ ticket, release }: Scenario): Promise<void> {
  behave('reply');
  await vi.waitFor(
    async () => {
      release();
      const states = (await runsOf(ticket)).map(({ state }) => state);
      expect(states.filter((state) => state === 'waiting' || state === 'running')).toEqual([]);
    },
    { timeout: 30_000, interval: 20 },
  );
}

async function check(stage: Scenario, viewer: Viewer): Promise<void> {
  const ticket: Ticket = await call(stage, 'get');
  const messages: TicketMessage[] = (await call(stage, 'messages', { limit: 100 })).data.reverse();
  const runs = await runsOf(stage.ticket);
  const visible = messages.filter(({ internal }) => !internal);
  const isEnded = ticket.status === 'resolved';

  // A viewer and a reader see the same conversation. `read_at` is not streamed: `unread` of the ticket is.
  const withoutReadAt = (list: TicketMessage[]) => list.map((message) => ({ ...message, read_at: null }));
  await vi.waitFor(() => expect(withoutReadAt(viewer.messages())).toEqual(withoutReadAt(messages)), {
    timeout: 30_000,
  });
  expect(messages.filter(({ streaming }) => streaming)).toEqual([]);

  // Each reply is stored once, and each failed command is reported once; answers that a command replaced are not stored.
  const replies = messages.filter(({ from }) => from === 'ai');
  const done = runs.filter(({ state }) => state === 'done');
  expect(replies.map(({ id }) => id).sort()).toEqual(done.map(({ message_id }) => message_id).sort());
  const notes = messages.filter(({ event }) => event === 'ai_command_failed').length;
  const failed = runs.filter(({ state }) => state === 'failed');
  expect(notes).toBeGreaterThanOrEqual(failed.filter(({ kind }) => kind === 'command').length);
  expect(notes).toBeLessThanOrEqual(failed.length);

  // No reply requested before a person's reply comes after it.
  let wanted = new Set<string>();
  let hasTeamReplied = false;
  for (const { from, body, event, internal } of messages) {
    if (event === 'ai_command') wanted.add(body.replace('/ai ', ''));
    if (from === 'admin' && !internal) {
      wanted = new Set();
      hasTeamReplied = true;
    }
    if (from !== 'ai') continue;
    const asked = body.replace('Reply to ', '');
    if (asked === 'the trader.') expect(hasTeamReplied).toBe(false);
    else expect(wanted.delete(asked), body).toBe(true);
  }
  if (hasTeamReplied) expect(ticket.ai_enabled).toBe(false);

  // No ticket stays with the assistant without a running reply, and a waiting trader is shown to the team.
  expect(ticket.status).not.toBe('open');
  const last = visible.at(-1)!.from;
  expect(ticket.last_from).toBe(last);
  if (!isEnded && last === 'trader') expect(ticket.status).toBe('awaiting_admin');

  const sinceTeam = visible.slice(visible.findLastIndex(({ from }) => from === 'admin') + 1);
  expect(ticket.unread).toBe(sinceTeam.length);
  expect(visible.filter(({ from, read_at }) => from !== 'admin' && read_at === null)).toHaveLength(
    ticket.unread,
  );
  const { data } = await gateway.rpc('tickets.assistantSettings', { token: stage.fixture.token });
  // A trader who writes on an ended ticket opens another.
  const { rows } = await gateway.services.pool.query(
    'select count(*)::int as runs from assistant_runs where workspace_id = $1',
    [stage.fixture.firm.id],
  );
  expect(data.used).toBe(rows[0].runs);
}
