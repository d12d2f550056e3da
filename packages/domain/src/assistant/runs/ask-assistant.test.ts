import { randomUUID } from 'node:crypto';
import { createTicket } from '@firmdesk/testing';
import {
  commonCases,
  createTicketFixture,
  createUserWithToken,
  followTicket,
  openAssistantGateway,
  type TicketFixture,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWorkers, type Worker } from '../../index.ts';

const ASK = 'POST /v1/admin/tickets/{ticket}/ai';

const { model, gateway } = await openAssistantGateway();
let fixture: TicketFixture;

beforeEach(async () => {
  fixture = await createTicketFixture(gateway);
});

commonCases(gateway, ASK, async ({ firm, trader }, { services }) => ({
  params: { ticket: await createTicket(services, { firm, trader, status: 'awaiting_admin' }) },
  body: { instruction: 'Say hello.' },
}));

describe('the call', () => {
  test('returns the note; the ticket awaits the trader and is otherwise unchanged', async () => {
    const ticket = await fixture.createTicket({ assignee: fixture.agent, aiBlocked: true, unread: 2 });
    const read = () => gateway.services.pool.query('select * from tickets where id = $1', [ticket]);
    const before = (await read()).rows[0];
    const now = gateway.clock.now().toISOString();
    const answer = await fixture.askAssistant(ticket, ' Be brief. ');
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      object: 'ticket_message',
      id: expect.stringMatching(/^tmsg_/),
      ticket_id: ticket,
      from: 'admin',
      author: 'Robin Example',
      body: '/ai  Be brief. ',
      image_url: null,
      image_name: null,
      attachments: [],
      internal: true,
      streaming: false,
      via_email: false,
      event: 'ai_command',
      read_at: null,
      created_at: now,
    });
    expect(await fixture.messagesOf(ticket)).toMatchObject([{ event: 'ai_command', internal: true }]);
    const after = (await read()).rows[0];
    const { status, queue_rank, queue_key, queue_tie, ...rest } = before;
    expect(after).toMatchObject({ ...rest, status: 'awaiting_trader' });
  });

  test('rejects an instruction that is blank or has more than 2,000 code points', async () => {
    const ticket = await fixture.createTicket();
    for (const bad of ['', '   \n', '😀'.repeat(2_001)]) {
      const { status, body } = await fixture.askAssistant(ticket, bad);
      expect([status, body.error.code, body.error.fields[0].path]).toEqual([
        422,
        'validation_failed',
        'instruction',
      ]);
    }
    expect((await fixture.askAssistant(ticket, '😀'.repeat(2_000))).status).toBe(201);
    expect((await fixture.askAssistant(ticket, 'x')).status).toBe(201);
    expect(await fixture.messagesOf(ticket)).toHaveLength(2);
  });

  test.each(['resolved', 'closed'] as const)('rejects a %s ticket with 409 ticket_ended', async (status) => {
    const ticket = await fixture.createTicket({ status });
    const answer = await fixture.askAssistant(ticket);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'ticket_ended']);
    expect(await fixture.messagesOf(ticket)).toEqual([]);
  });

  test('rejects a firm without the assistant for its team with 409 assistant_unavailable', async () => {
    const ticket = await fixture.createTicket();
    await gateway.services.pool.query(
      'update workspaces set assistant_enabled_for_team = false where id = $1',
      [fixture.firm.id],
    );
    const answer = await fixture.askAssistant(ticket);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'assistant_unavailable']);
    expect(await fixture.statusOf(ticket)).toBe('awaiting_admin');
  });

  test('answers the same 404 for a ticket of another firm, an unknown and a malformed id', async () => {
    const other = await createTicketFixture(gateway);
    const foreign = await fixture.askAssistant(await other.createTicket());
    const unknown = await fixture.askAssistant(`tkt_${'0'.repeat(26)}`);
    const malformed = await fixture.askAssistant('tkt_!');
    for (const answer of [foreign, unknown, malformed]) {
      expect([answer.status, answer.body.error]).toEqual([404, unknown.body.error]);
    }
  });

  test('requires both permissions and the scope admin:write', async () => {
    const ticket = await fixture.createTicket();
    const reader = await fixture.askAssistant(ticket, 'x', {
      token: await fixture.tokenWith(['admin:read']),
    });
    expect(reader.body.error.code).toBe('insufficient_scope');
    const viewer = await createTicketFixture(gateway, ['view_tickets']);
    expect((await viewer.askAssistant(await viewer.createTicket())).body.error.code).toBe('forbidden');
    const manager = await createTicketFixture(gateway, ['manage_tickets']);
    expect((await manager.askAssistant(await manager.createTicket())).body.error.code).toBe('forbidden');
  });

  test('requests one reply for fifty calls with one idempotency key', async () => {
    const ticket = await fixture.createTicket();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fixture.askAssistant(ticket, 'Once.', { key })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(await fixture.messagesOf(ticket)).toHaveLength(1);
    expect(await runsOf(ticket)).toHaveLength(1);
    expect(await usedAllowanceOf(fixture)).toBe(1);
  });

  test('accepts one running and three waiting commands, and rejects the next with 429', async () => {
    const ticket = await fixture.createTicket();
    for (let n = 0; n < 4; n++) expect((await fixture.askAssistant(ticket)).status).toBe(201);
    const fifth = await fixture.askAssistant(ticket);
    expect([fifth.status, fifth.body.error.code]).toEqual([429, 'rate_limited']);
    expect(fifth.headers.get('retry-after')).toBe('5');
  });
});

describe('the reply', () => {
  let worker: Worker;
  beforeAll(async () => {
    worker = await startWorkers(gateway.services);
  });
  afterAll(() => worker.stop());
  beforeEach(() => model.behave({ kind: 'reply', words: ['It is', ' on its', ' way.'] }));

  test('is stored once, as a message of the assistant, and counts as unread', async () => {
    const ticket = await fixture.createTicket({ unread: 1 });
    await fixture.askAssistant(ticket, 'Say that it is on its way.');
    await vi.waitFor(async () => expect(await runStatesOf(ticket)).toEqual(['done']), { timeout: 30_000 });
    expect(await fixture.messagesOf(ticket)).toMatchObject([
      { from_kind: 'admin', event: 'ai_command' },
      { from_kind: 'ai', body: 'It is on its way.', internal: false, streaming: false, event: null },
    ]);
    const { rows } = await gateway.services.pool.query(
      'select status, unread, last_from from tickets where id = $1',
      [ticket],
    );
    expect(rows).toEqual([{ status: 'awaiting_trader', unread: 2, last_from: 'ai' }]);
  });

  test('is written from the instruction and what the trader sees, without notes', async () => {
    const ticket = await fixture.createTicket({
      subject: 'Payout',
      messages: [
        { body: 'Where is my payout?' },
        { from: 'admin', body: 'SECRET: we think this is fraud', internal: true },
        { from: 'admin', body: 'We are looking.' },
      ],
    });
    await fixture.askAssistant(ticket, 'Say that it is on its way.');
    await vi.waitFor(async () => expect(await runStatesOf(ticket)).toEqual(['done']), { timeout: 30_000 });
    const asked = model.requests
      .find(({ body }) => body.messages[0]!.content.includes(fixture.firm.name))!
      .body.messages.map(({ content }) => content)
      .join('\n');
    for (const part of ['Payout', 'Where is my payout?', 'We are looking.', 'Say that it is on its way.']) {
      expect(asked).toContain(part);
    }
    expect(asked).not.toContain('SECRET');
    expect(asked).not.toContain('/ai');
  });

  test.each([
    [{ kind: 'error', status: 400 }, 'answered with status 400'],
    [{ kind: 'break', words: ['It is'], how: 'cut' }, 'did not finish'],
    [{ kind: 'reply', words: [' ', '\n'] }, 'wrote nothing'],
  ] as const)(
    'is replaced by a note if the model fails, and the old status is restored: %j',
    async (behaviour, why) => {
      model.behave(behaviour);
      const ticket = await fixture.createTicket();
      await fixture.askAssistant(ticket);
      await vi.waitFor(async () => expect(await runStatesOf(ticket)).toEqual(['failed']), {
        timeout: 30_000,
      });
      const messages = await fixture.messagesOf(ticket);
      expect(messages).toMatchObject([
        { event: 'ai_command' },
        { event: 'ai_command_failed', internal: true, streaming: false },
      ]);
      expect(messages[1]!.body).toContain(why);
      expect(messages[1]!.body).not.toContain('secret-host');
      expect(await fixture.statusOf(ticket)).toBe('awaiting_admin');
      const { rows } = await gateway.services.pool.query(
        'select unread, last_from from tickets where id = $1',
        [ticket],
      );
      expect(rows).toEqual([{ unread: 0, last_from: null }]);
    },
  );

  test('is replaced by a note beyond the allowance of the month', async () => {
    await gateway.services.pool.query('update workspaces set assistant_monthly_allowance = 1 where id = $1', [
      fixture.firm.id,
    ]);
    const [first, second, third] = [
      await fixture.createTicket(),
      await fixture.createTicket(),
      await fixture.createTicket(),
    ];
    expect((await fixture.askAssistant(first)).status).toBe(201);
    await vi.waitFor(async () => expect(await runStatesOf(first)).toEqual(['done']), { timeout: 30_000 });
    expect((await fixture.askAssistant(second)).status).toBe(201);
    await vi.waitFor(async () => expect(await runStatesOf(second)).toEqual(['failed']), { timeout: 30_000 });
    const [, note] = await fixture.messagesOf(second);
    expect(note).toMatchObject({ event: 'ai_command_failed', internal: true });
    expect(note!.body).toContain('allowance');
    expect(await fixture.statusOf(second)).toBe('awaiting_admin');
    await gateway.services.pool.query(
      `update assistant_usage set month = '2020-01-01' where workspace_id = $1`,
      [fixture.firm.id],
    );
    await fixture.askAssistant(third);
    await vi.waitFor(async () => expect(await runStatesOf(third)).toEqual(['done']), { timeout: 30_000 });
  });

  test('is not written more often than the allowance permits, also for concurrent calls', async () => {
    await gateway.services.pool.query('update workspaces set assistant_monthly_allowance = 5 where id = $1', [
      fixture.firm.id,
    ]);
    const tickets = await Promise.all(Array.from({ length: 12 }, () => fixture.createTicket()));
    await Promise.all(tickets.map((ticket) => fixture.askAssistant(ticket)));
    await vi.waitFor(
      async () => {
        const states = (await Promise.all(tickets.map(runStatesOf))).flat().sort();
        expect(states).toEqual([...Array(5).fill('done'), ...Array(7).fill('failed')]);
      },
      { timeout: 30_000 },
    );
    expect(await usedAllowanceOf(fixture)).toBe(5);
  });

  test('is replaced by a note if the ticket ends meanwhile', async () => {
    const ticket = await fixture.createTicket();
    model.behave({ kind: 'reply', words: Array(20).fill('word '), pauseMs: 50 });
    await fixture.askAssistant(ticket);
    await vi.waitFor(
      async () => expect((await fixture.messagesOf(ticket)).some(({ streaming }) => streaming)).toBe(true),
      { timeout: 30_000 },
    );
    await gateway.services.pool.query(
      `update tickets set status = 'resolved', closed_at = now() where id = $1`,
      [ticket],
    );
    await vi.waitFor(async () => expect(await runStatesOf(ticket)).toEqual(['failed']), { timeout: 30_000 });
    expect((await fixture.messagesOf(ticket)).map(({ event, internal }) => [event, internal]).sort()).toEqual(
      [
        ['ai_command', true],
        ['ai_command_failed', true],
      ],
    );
    expect(await fixture.statusOf(ticket)).toBe('resolved');
  });

  test('does not restore the old status if it has changed meanwhile', async () => {
    model.behave({ kind: 'reply', words: Array(20).fill('word '), pauseMs: 50, finish: 'length' });
    const ticket = await fixture.createTicket();
    await fixture.askAssistant(ticket);
    await gateway.services.pool.query(`update tickets set status = 'open' where id = $1`, [ticket]);
    await vi.waitFor(async () => expect(await runStatesOf(ticket)).toEqual(['failed']), { timeout: 30_000 });
    expect(await fixture.statusOf(ticket)).toBe('open');
  });

  test('is written for each command of a ticket in order; if all fail, the first status is restored', async () => {
    const ticket = await fixture.createTicket();
    model.behave((request) => ({
      kind: 'reply',
      words: [request.body.messages[1]!.content.split('\n').at(-1)!],
    }));
    for (const word of ['one', 'two', 'three']) await fixture.askAssistant(ticket, word);
    await vi.waitFor(async () => expect(await runStatesOf(ticket)).toEqual(['done', 'done', 'done']), {
      timeout: 30_000,
    });
    const replies = (await fixture.messagesOf(ticket)).filter(({ from_kind }) => from_kind === 'ai');
    expect(replies.map(({ body }) => body).sort()).toEqual(['one', 'three', 'two']);
    const asked = model.requests.filter(({ body }) => body.messages[0]!.content.includes(fixture.firm.name));
    expect(asked.map(({ body }) => body.messages[1]!.content.split('\n').at(-1))).toEqual([
      'one',
      'two',
      'three',
    ]);

    const failing = await fixture.createTicket();
    model.behave({ kind: 'error', status: 400 });
    await Promise.all([
      fixture.askAssistant(failing),
      fixture.askAssistant(failing),
      fixture.askAssistant(failing),
    ]);
    await vi.waitFor(async () => expect(await runStatesOf(failing)).toEqual(['failed', 'failed', 'failed']), {
      timeout: 30_000,
    });
    expect(await fixture.statusOf(failing)).toBe('awaiting_admin');
  });

  test('is withdrawn from viewers when it turns out to be a thought, and written by the next attempt', async () => {
    const ticket = await fixture.createTicket();
    using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
    const thought = Promise.withResolvers<void>();
    model.behave({
      kind: 'hold',
      words: ['A secret.'],
      until: thought.promise,
      others: ['</think>', 'Hello', ' there.'],
    });
    await fixture.askAssistant(ticket);
    await vi.waitFor(() => expect(viewer.types()).toContain('text_delta'), { timeout: 30_000 });
    thought.resolve();
    await vi.waitFor(() => expect(viewer.types()).toContain('text_reset'), { timeout: 30_000 });
    using late = await followTicket({ url: gateway.url, token: fixture.token, ticket });
    await vi.waitFor(async () => expect(await runStatesOf(ticket)).toEqual(['done']), { timeout: 30_000 });
    const reply = (await fixture.messagesOf(ticket)).find(({ from_kind }) => from_kind === 'ai')!;
    expect(reply).toMatchObject({ body: 'Hello there.', streaming: false });
    await vi.waitFor(() => expect(viewer.textOf(reply.id)).toBe('Hello there.'), { timeout: 30_000 });
    expect(JSON.stringify(late.events)).not.toContain('secret');
    expect(await usedAllowanceOf(fixture)).toBe(1);
  });

  test('is stopped after it was withdrawn', async () => {
    const ticket = await fixture.createTicket();
    using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
    model.behave({ kind: 'stall', words: ['<think>a</think>A secret.', '</think>', 'Hello'] });
    await fixture.askAssistant(ticket);
    await vi.waitFor(() => expect(viewer.types().slice(-2)).toEqual(['text_reset', 'text_delta']), {
      timeout: 30_000,
    });
    await gateway.rpc('tickets.stopAssistant', { token: fixture.token, body: { ticket } });
    await vi.waitFor(() => expect(model.open()).toBe(0), { timeout: 30_000 });
    expect(await runStatesOf(ticket)).toEqual(['failed']);
  });

  test('is stopped immediately, even if the model is silent, and the model’s connection is closed', async () => {
    const ticket = await fixture.createTicket();
    model.behave({ kind: 'stall', words: ['It is'] });
    await fixture.askAssistant(ticket);
    await vi.waitFor(() => expect(model.open()).toBe(1), { timeout: 30_000 });
    const stopped = await gateway.rpc('tickets.stopAssistant', { token: fixture.token, body: { ticket } });
    expect(stopped.data).toEqual({ object: 'assistant_stopped', stopped: 1 });
    await vi.waitFor(() => expect(model.open()).toBe(0), { timeout: 30_000 });
    expect(await fixture.messagesOf(ticket)).toMatchObject([
      { event: 'ai_command' },
      { event: 'ai_command_failed', body: 'The assistant did not answer: Robin Example stopped it.' },
    ]);
    expect(await fixture.statusOf(ticket)).toBe('awaiting_admin');
    const again = await gateway.rpc('tickets.stopAssistant', { token: fixture.token, body: { ticket } });
    expect(again.data.stopped).toBe(0);
    const other = await createTicketFixture(gateway);
    const foreign = await gateway.rpc('tickets.stopAssistant', { token: other.token, body: { ticket } });
    expect(foreign.code).toBe('resource_not_found');
  });

  describe('is undone', () => {
    const undo = (ticket: string, message: string, token = fixture.token) =>
      gateway.rpc('tickets.undoCommand', { token, body: { ticket, message } });

    test('while it is written: note and reply are gone for viewers too, the ticket is as before, and the allowance counts', async () => {
      const ticket = await fixture.createTicket();
      const read = async () => {
        const { rows } = await gateway.services.pool.query('select * from tickets where id = $1', [ticket]);
        // The clock of its targets stood still meanwhile.
        const { waiting_since, waited_seconds, ...rest } = rows[0];
        return rest;
      };
      const before = await read();
      using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
      model.behave({ kind: 'stall', words: ['<think>a</think>It', ' is'] });
      const { id: message } = (await fixture.askAssistant(ticket, 'Mention the zeppelin.')).body.data;
      await vi.waitFor(() => expect(viewer.types()).toContain('text_delta'), { timeout: 30_000 });
      const colleague = await createUserWithToken(gateway, {
        firm: fixture.firm,
        permissions: ['view_tickets', 'manage_tickets'],
      });
      expect((await undo(ticket, message, colleague.token)).code).toBe('reply_sent');
      expect((await undo(ticket, message)).data).toEqual({ object: 'command_undone', id: message });
      await vi.waitFor(() => expect(model.open()).toBe(0), { timeout: 30_000 });
      await vi.waitFor(() => expect(viewer.types().slice(-2)).toEqual(['resync', 'ticket.updated']), {
        timeout: 30_000,
      });
      expect(await fixture.messagesOf(ticket)).toEqual([]);
      expect(await read()).toEqual(before);
      expect(await runStatesOf(ticket)).toEqual(['failed']);
      expect(await usedAllowanceOf(fixture)).toBe(1);
      const { data: found } = (
        await gateway.rpc('tickets.search', { token: fixture.token, body: { q: 'zeppelin' } })
      ).data;
      expect(found).toEqual([]);
      expect((await undo(ticket, message)).code).toBe('reply_sent');
      const other = await createTicketFixture(gateway);
      expect((await undo(ticket, message, other.token)).code).toBe('resource_not_found');
    });

    test('no more once its reply is there, and while it waits without the one before it', async () => {
      const ticket = await fixture.createTicket();
      const written = Promise.withResolvers<void>();
      model.behave({ kind: 'hold', words: ['Hello'], until: written.promise, others: [' there.'] });
      const { id: first } = (await fixture.askAssistant(ticket)).body.data;
      const { id: second } = (await fixture.askAssistant(ticket)).body.data;
      expect((await undo(ticket, second)).status).toBe(200);
      written.resolve();
      await vi.waitFor(async () => expect(await runStatesOf(ticket)).toEqual(['done', 'failed']), {
        timeout: 30_000,
      });
      expect(await fixture.messagesOf(ticket)).toMatchObject([{ id: first }, { body: 'Hello there.' }]);
      expect((await undo(ticket, first)).code).toBe('reply_sent');
      expect(await fixture.statusOf(ticket)).toBe('awaiting_trader');
    });
  });
});

async function runsOf(ticket: string): Promise<{ state: string }[]> {
  const { rows } = await gateway.services.pool.query(
    'select state from assistant_runs where ticket_id = $1 order by id',
    [ticket],
  );
  return rows;
}

async function runStatesOf(ticket: string): Promise<string[]> {
  return (await runsOf(ticket)).map(({ state }) => state);
}

async function usedAllowanceOf({ firm }: TicketFixture): Promise<number> {
  const { rows } = await gateway.services.pool.query(
    'select used from assistant_usage where workspace_id = $1',
    [firm.id],
  );
  return rows[0]?.used ?? 0;
}
