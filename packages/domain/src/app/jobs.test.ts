/** Every kind of job, and whether it acts for an account. One that does checks the rights of the account when it runs. */
import { PLATFORM } from '@firmdesk/contract';
import { createStaff, createTicket, createToken, createUser, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  notificationsOf,
  openAssistantGateway,
  ticketCalls,
} from '@firmdesk/testing/gateway';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deactivateAccount } from '../access/accounts/deactivate-account.ts';
import { dismissMember } from '../access/workspaces/dismiss-member.ts';
import { changePermissions } from '../access/workspaces/member-permissions.ts';
import { writeReply } from '../assistant/runs/write-reply.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { runBulkChange } from '../tickets/bulk/run-bulk-change.ts';
import { runDelayedSend } from '../tickets/messages/delayed-sends.ts';
import { eraseAccount } from './accounts/erase-account.ts';
import { resumeFirm, suspendFirm } from './firms/suspend-firm.ts';
import { jobHandlers, waitingHandlers } from './jobs.ts';

const FOR_THE_FIRM = 'it acts for the firm or the service, for nobody in particular';
const FOR_RECIPIENTS =
  'it acts for nobody: each statement selects recipients by `policy.ts`, and the sender asks again';

/** For whom each kind of job acts, and where the rights are checked. */
const jobs: Record<string, string> = {
  'tickets.send_delayed': 'the author of the reply: `lost_right` of the row that the lock reads',
  'tickets.bulk_change': 'the account that started or undoes it: `findLostRight` in each batch',
  'assistant.reply':
    'the teammate of a command: `lost_right` of the run, at its start and its end; an answer: the firm',
  'mail.send':
    'in each attempt: the mailboxes from which the author of the message may write; of a system mail, whether its account belongs to the firm, and what it may see',
  'mail.forward':
    'the account that saved the rule: whether it may still write from the mailbox, when it runs',
  'calendar.mail_reminders': FOR_RECIPIENTS,
  'calendar.mail_scheduling': 'the account that caused it: `mail.send` checks it',
  'push.mail': FOR_RECIPIENTS,
  'push.notifications': FOR_RECIPIENTS,
  'push.reminders': FOR_RECIPIENTS,
  'push.remind': FOR_RECIPIENTS,
  'push.send': FOR_RECIPIENTS,
  // The snooze is a property of the ticket, as its assignee is. Who is notified may see the ticket then.
  'tickets.wake': FOR_THE_FIRM,
  'mail.wake': FOR_THE_FIRM,
  'attachments.scan': FOR_THE_FIRM,
  'tickets.refresh_due': FOR_THE_FIRM,
  'tickets.warn_due': FOR_THE_FIRM,
  'tickets.assign_waiting': 'the firm: each assignment selects an agent who may answer then',
  'tickets.assign_all_waiting': 'as `tickets.assign_waiting`',
  'tickets.run_rules':
    'the firm, to which a rule belongs: each action checks that its agent may still answer, else the rule switches itself off',
  'tickets.run_due_rules': 'as `tickets.run_rules`',
  'tickets.index-search': FOR_THE_FIRM,
  'mail.index-search': FOR_THE_FIRM,
  'assistant.revive': FOR_THE_FIRM,
  'affiliates.expire': FOR_THE_FIRM,
  'firms.delete_files': FOR_THE_FIRM,
  'firms.check_storage': FOR_THE_FIRM,
  'firms.data_request': 'the account that asked: whether it still holds the permission, when it runs',
  'firms.delete_due': FOR_THE_FIRM,
  'reports.count': FOR_THE_FIRM,
  'reports.mail_weekly':
    'each reader: the statement selects who may see reports; `mail.send_system` asks again',
  'webhooks.dispatch': FOR_THE_FIRM,
  'webhooks.send': FOR_THE_FIRM,
  'satisfaction.ask': FOR_THE_FIRM,
  'retention.prune': FOR_THE_FIRM,
};

const { model, gateway } = await openAssistantGateway();
const { services } = gateway;
const permissions = ['view_tickets', 'manage_tickets'] as const;
let firm: Firm;
let user: TestUser;
let token: string;
let trader: TestUser;
let ticket: string;
let colleague: { user: TestUser; token: string };
const mine = ticketCalls(gateway, () => token);
const ofColleague = ticketCalls(gateway, () => colleague.token);

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, {
    name: 'Robin Example',
    permissions: [...permissions],
  }));
  colleague = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
  trader = await createUser(services, { firm, role: 'trader' });
  ticket = await createTicket(services, {
    firm,
    trader,
    status: 'awaiting_admin',
    messages: [{ body: 'Where is my payout?' }],
  });
  model.behave({ kind: 'reply', words: ['Paid ', 'on Monday.'] });
});

test('every kind of job is listed', () => {
  const names = [...jobHandlers, ...waitingHandlers].map(({ name }) => name);
  expect(Object.keys(jobs).sort()).toEqual(names.sort());
});

const run = (change: (ctx: OperationContext) => Promise<unknown>) => withTransaction(services, change);
const operator = { kind: 'operator', id: null, name: 'ines' } as never;

/** How an account loses its rights, and the reason in texts. */
const losses: Record<string, { lose: () => Promise<unknown>; reason: string; isSuspension?: boolean }> = {
  dismissed: {
    lose: () => run((ctx) => dismissMember(ctx, { email: user.email, workspace: firm.slug })),
    reason: 'dismissed',
  },
  deactivated: { lose: () => run((ctx) => deactivateAccount(ctx, user.email)), reason: 'account_ended' },
  'without manage_tickets': {
    lose: () =>
      run((ctx) =>
        changePermissions(ctx, { user: user.email, workspace: firm.slug }, { revoke: ['manage_tickets'] }),
      ),
    reason: 'permission_lost',
  },
  'without view_tickets': {
    lose: () =>
      run((ctx) =>
        changePermissions(ctx, { user: user.email, workspace: firm.slug }, { revoke: ['view_tickets'] }),
      ),
    reason: 'permission_lost',
  },
  erased: { lose: () => eraseAccount(services, user.email, { actor: operator }), reason: 'account_ended' },
  'in a suspended firm': {
    lose: () => run((ctx) => suspendFirm(ctx, firm.slug)),
    reason: 'firm_suspended',
    isSuspension: true,
  },
};
const resume = () => run((ctx) => resumeFirm(ctx, firm.slug));

describe.each(Object.entries(losses))(
  'for an account that is %s',
  (state, { lose, reason, isSuspension = false }) => {
    afterEach(async () => {
      if (isSuspension) await resume().catch(() => {});
    });
    const messages = async () => (await ofColleague.call('messages', { ticket })).data;
    /** Expects that the team has the reply as a draft, and that nobody has written on the ticket. */
    const expectDraft = async (id: string) => {
      const { data: drafts } = await ofColleague.call('unsentReplies', { ticket });
      expect(drafts).toMatchObject([
        { id, author: state === 'erased' ? 'Former user' : 'Robin Example', text: 'Paid on Monday.', reason },
      ]);
      expect((await messages()).map(({ body }: { body: string }) => body)).toEqual(['Where is my payout?']);
      const { rows } = await services.pool.query('select id from delayed_sends where workspace_id = $1', [
        firm.id,
      ]);
      expect(rows).toEqual([]);
      expect((await notificationsOf(gateway, firm)).map(({ title }) => title)).toContainEqual(
        expect.stringMatching(/^A reply on ticket #\w+ was not sent$/),
      );
    };

    test('a delayed send stays on the ticket as a draft of the team', async () => {
      const { id } = await mine.call('holdReply', {
        ticket,
        body: 'Paid on Monday.',
        actions: { add_tags: [], status: 'resolved', priority: 'high', assignee: null },
      });
      await lose();
      await runDelayedSend(services, { workspace: firm.id, ticket, id });
      if (isSuspension) await resume();
      await expectDraft(id);
      expect(await ofColleague.call('get', { ticket })).toMatchObject({
        status: 'awaiting_admin',
        priority: 'normal',
        last_from: null,
      });
      const { data: drafts } = await ofColleague.call('unsentReplies', { ticket });
      expect(drafts[0].macros.actions).toMatchObject({ status: 'resolved', priority: 'high' });
    });

    test.skipIf(isSuspension)(
      'a delayed send stays as a draft when a colleague resolves the ticket',
      async () => {
        const { id } = await mine.call('holdReply', { ticket, body: 'Paid on Monday.' });
        await lose();
        await ofColleague.call('setStatus', { ticket, status: 'resolved' });
        await runDelayedSend(services, { workspace: firm.id, ticket, id });
        await expectDraft(id);
        expect(await ofColleague.call('get', { ticket })).toMatchObject({ last_from: null });
      },
    );

    test.skipIf(isSuspension)(
      'a delayed send stays as a draft when a colleague changes many tickets',
      async () => {
        const { id } = await mine.call('holdReply', { ticket, body: 'Paid on Monday.' });
        await lose();
        const action = { set: 'status', status: 'closed' };
        const bulk = await ofColleague.call('bulkChanges.start', { tickets: [ticket], action });
        await runBulkChange(services, { workspace: firm.id, id: bulk.id });
        await expectDraft(id);
      },
    );

    test('a bulk change stops after its batch, and a colleague undoes it', async () => {
      await createMany(250);
      const { id } = await mine.call('bulkChanges.start', {
        filter: {},
        action: { set: 'priority', priority: 'high' },
      });
      expect((await ofColleague.rpc('bulkChanges.get', { id })).code).toBe('resource_not_found');
      await runBulkChange(services, { workspace: firm.id, id }, AbortSignal.abort());
      await lose();
      await runBulkChange(services, { workspace: firm.id, id });
      if (isSuspension) await resume();
      const stopped = { state: 'stopped', stopped_because: reason, changed: 100, tickets: 251 };
      expect(await ofColleague.call('bulkChanges.get', { id })).toMatchObject(stopped);
      expect((await ofColleague.call('bulkChanges.stopped')).data).toMatchObject([{ id, ...stopped }]);
      expect(await notificationsOf(gateway, firm)).toContainEqual(
        expect.objectContaining({ title: 'A bulk change was stopped' }),
      );
      // Later than a bulk change that has come to its end can be undone.
      gateway.clock.advance(600_000);
      await ofColleague.call('bulkChanges.undo', { id });
      await runBulkChange(services, { workspace: firm.id, id });
      expect(await ofColleague.call('bulkChanges.get', { id })).toMatchObject({
        state: 'undone',
        stopped_because: reason,
        undone: 100,
      });
      expect((await ofColleague.call('list', { priority: 'high' })).data).toEqual([]);
      expect((await ofColleague.call('bulkChanges.stopped')).data).toEqual([]);
    });

    test('an undo of a bulk change stops, and a colleague continues it', async () => {
      await createMany(250);
      const { id } = await mine.call('bulkChanges.start', {
        filter: {},
        action: { set: 'priority', priority: 'high' },
      });
      await runBulkChange(services, { workspace: firm.id, id });
      await mine.call('bulkChanges.undo', { id });
      await runBulkChange(services, { workspace: firm.id, id }, AbortSignal.abort());
      await lose();
      await runBulkChange(services, { workspace: firm.id, id });
      if (isSuspension) await resume();
      expect(await ofColleague.call('bulkChanges.get', { id })).toMatchObject({
        state: 'stopped',
        stopped_because: reason,
        undone: 100,
      });
      await ofColleague.call('bulkChanges.undo', { id });
      await runBulkChange(services, { workspace: firm.id, id });
      expect(await ofColleague.call('bulkChanges.get', { id })).toMatchObject({
        state: 'undone',
        undone: 251,
      });
    });

    test('a command to the assistant is not answered', async () => {
      await mine.call('askAssistant', { ticket, instruction: 'Say when.' });
      await lose();
      const { rows } = await services.pool.query(
        'select id::text from assistant_runs where workspace_id = $1 and ticket_id = $2',
        [firm.id, ticket],
      );
      await writeReply(services, { workspace: firm.id, run: rows[0].id });
      if (isSuspension) await resume();
      const [note] = await messages();
      expect(note).toMatchObject({
        event: 'ai_command_failed',
        internal: true,
        body: expect.stringMatching(/did not answer: (the teammate who asked for it|the firm was suspended)/),
      });
      expect(await ofColleague.call('get', { ticket })).toMatchObject({
        status: 'awaiting_admin',
        last_from: null,
      });
      expect(await ofColleague.call('assistantSettings', {})).toMatchObject({ used: 0 });
    });
  },
);

test('commands that wait while their firm is suspended are not answered once it is resumed', async () => {
  const other = await createTicket(services, {
    firm,
    trader,
    status: 'open',
    lastFrom: 'trader',
    messages: [{ body: 'Hello?' }],
  });
  for (const each of [ticket, other])
    await mine.call('askAssistant', { ticket: each, instruction: 'Say when.' });
  await mine.call('askAssistant', { ticket, instruction: 'And why.' });
  const { rows: runs } = await services.pool.query<{ id: string }>(
    `select id::text from assistant_runs where workspace_id = $1 and kind = 'command'`,
    [firm.id],
  );
  expect(await ofColleague.call('assistantSettings', {})).toMatchObject({ used: 3 });
  await run((ctx) => suspendFirm(ctx, firm.slug));
  await resume();
  for (const { id } of runs) await writeReply(services, { workspace: firm.id, run: id });
  for (const [each, status, count] of [
    [ticket, 'awaiting_admin', 2],
    [other, 'open', 1],
  ] as const) {
    const { data } = await ofColleague.call('messages', { ticket: each });
    const failures = data.filter(({ event }: { event: string | null }) => event === 'ai_command_failed');
    expect(failures.map(({ body }: { body: string }) => body)).toEqual(
      Array(count).fill('The assistant did not answer: the firm was suspended.'),
    );
    expect(data.filter(({ from }: { from: string }) => from === 'ai')).toEqual([]);
    expect(await ofColleague.call('get', { ticket: each })).toMatchObject({ status });
  }
  // The trader of the second ticket still waits for the assistant, which answers now.
  const used = (await ofColleague.call('assistantSettings', {})).used;
  expect(used).toBe(1);
});

test('a delayed send whose firm is suspended and resumed stays as a draft, and its bulk change stops', async () => {
  const { id } = await mine.call('holdReply', { ticket, body: 'Paid on Monday.' });
  const bulk = await mine.call('bulkChanges.start', {
    tickets: [ticket],
    action: { set: 'priority', priority: 'high' },
  });
  await run((ctx) => suspendFirm(ctx, firm.slug));
  await resume();
  await runDelayedSend(services, { workspace: firm.id, ticket, id });
  await runBulkChange(services, { workspace: firm.id, id: bulk.id });
  expect((await mine.call('unsentReplies', { ticket })).data).toMatchObject([
    { id, reason: 'firm_suspended' },
  ]);
  expect(await mine.call('heldReply', { ticket, id })).toMatchObject({ state: 'kept_for_team' });
  expect(await mine.call('bulkChanges.get', { id: bulk.id })).toMatchObject({
    state: 'stopped',
    stopped_because: 'firm_suspended',
    changed: 0,
  });
});

test('a delayed send of staff runs in a firm in which they may act, and stays as a draft in another', async () => {
  const staff = await createStaff(services, [firm]);
  const { text } = await createToken(services, { user: staff, workspace: PLATFORM, scopes: ['admin:write'] });
  const delay = async () => {
    const body = { ticket, body: 'Paid on Monday.' };
    const delayed = await gateway.rpc('tickets.holdReply', { token: text, workspace: firm.slug, body });
    return delayed.data.id;
  };
  const [sent, kept] = [await delay(), await delay()];
  await runDelayedSend(services, { workspace: firm.id, ticket, id: sent });
  await services.pool.query('delete from staff_firms where user_id = $1', [staff.id]);
  await runDelayedSend(services, { workspace: firm.id, ticket, id: kept });
  const { data } = await mine.call('messages', { ticket });
  expect(data[0]).toMatchObject({ id: sent, internal: false });
  expect((await mine.call('unsentReplies', { ticket })).data).toMatchObject([
    { id: kept, reason: 'dismissed' },
  ]);
});

/** Inserts many tickets at once. */
async function createMany(count: number): Promise<void> {
  await services.pool.query(
    `insert into tickets (workspace_id, id, trader_id, subject, status, last_message_at, trader_wrote_at, created_at, search_text)
     select $1::int, 'tkt_' || lpad($1::int::text, 6, '0') || lpad(n::text, 20, '0'), $2, 'Payout ' || n, 'awaiting_admin', now(), now(), now(),
       'payout ' || n
     from generate_series(1, $3::int) n`,
    [firm.id, trader.id, count],
  );
}
