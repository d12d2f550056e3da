import type { ArticleRef, TicketStatus } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { describeLostRight } from '../../access/lost-right.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { sendSignal } from '../../platform/events/signals/send-signal.ts';
import {
  ASSISTANT,
  addMessage,
  deleteMessages,
  finishReply,
  isEnded,
  moveReplyToEnd,
  type PendingRun,
  publishReset,
  statusAfter,
  type TicketState,
} from '../../tickets/index.ts';
import { consumeAllowance, returnAllowance } from '../allowance.ts';
import { reasonToHandOver } from '../hand-over.ts';
import { type Attempt, enqueueRun, lockRun, type Run, type RunRef, type RunState } from './run-store.ts';

/*
 * A run is one reply that the assistant was asked for: by a command of the team, or by a trader's message (an answer).
 * This file is its state machine. Only the moves below change a run, each in a transaction that holds the lock of the
 * run's ticket. (The delta writer also counts what it has streamed.)
 *
 * | move     | from             | to      | moved by                               | writes, besides the run                        |
 * |----------|------------------|---------|----------------------------------------|------------------------------------------------|
 * | request  | -                | waiting | a command, a trader's message, or the  | the use of the firm's allowance                |
 * |          |                  |         | failure of a command (see `fail`)      |                                                |
 * | start    | waiting, running | running | the worker of the run's job            | the reply's message, empty; a restart empties  |
 * |          |                  |         |                                        | it for viewers                                 |
 * | complete | running          | done    | the worker, in the latest attempt      | the reply; the ticket's status; the state that |
 * |          |                  |         |                                        | the failure of a later command restores        |
 * | fail     | waiting, running | failed  | the worker; `obstacleOf`; a teammate   | a note with the reason; the ticket's status;   |
 * |          |                  |         | who stops the assistant                | the answer that a failed command had replaced  |
 * | replace  | waiting, running | failed  | a command that replaces an answer      | nothing: the message passes to the command     |
 * | withdraw | waiting, running | failed  | the teammate who undoes their command  | deletes the command's note and the reply; the  |
 * |          |                  |         |                                        | ticket's status; the answer as in `fail`       |
 *
 * A ticket's runs take turns, oldest first: only the first has a job, and the move that ends it enqueues the job of the
 * next. A queue of the job system would not do: a job whose worker hangs would delay all jobs after it.
 */

/** The name of the signal that a run has ended before its worker finished it. The signal's id is the run's. */
export const RUN_STOPPED = 'run';

const moves = {
  start: { from: ['waiting', 'running'], to: 'running' },
  complete: { from: ['running'], to: 'done' },
  fail: { from: ['waiting', 'running'], to: 'failed' },
  replace: { from: ['waiting', 'running'], to: 'failed' },
  withdraw: { from: ['waiting', 'running'], to: 'failed' },
} as const satisfies Record<string, { from: readonly RunState[]; to: RunState }>;

/** A run fails after this many attempts: its reply may be what crashes the workers. */
export const MAX_ATTEMPTS = 5;

/**
 * Returns why a reply must not be written, or null if it may be. No other place decides this. A reply can also fail because of
 * the model: an `AssistantError` then has the reason.
 */
export function obstacleOf(
  run: Pick<Run, 'kind' | 'allowed' | 'attempt' | 'last_message_at'> & { lost_right?: Run['lost_right'] },
  ticket: Pick<TicketState, 'status' | 'ai_enabled' | 'last_from' | 'last_message_at'>,
): string | null {
  if (!run.allowed) return 'the firm’s allowance for this month is used up';
  if (run.lost_right) return describeLostRight(run.lost_right, 'the teammate who asked for it');
  if (isEnded(ticket.status)) return 'the ticket has ended';
  if (run.kind === 'answer' && (ticket.status !== 'open' || !ticket.ai_enabled))
    return 'the team has taken over';
  if (ticket.last_from === 'admin' && ticket.last_message_at !== run.last_message_at)
    return 'a teammate replied first';
  if (run.attempt >= MAX_ATTEMPTS) return `it was interrupted ${MAX_ATTEMPTS} times`;
  return null;
}

/** Requests an answer to the trader if the assistant answers this locked ticket, unless one already waits: it covers new messages. */
export async function answerTrader(ctx: OperationContext, ticket: TicketState): Promise<void> {
  if (ticket.status !== 'open' || !ticket.ai_enabled) return;
  const pending = ticket.pending_runs;
  if (pending.some(({ kind, state }) => kind === 'answer' && state === 'waiting')) return;
  await request(ctx, { ticket, kind: 'answer', instruction: null, isFirst: pending.length === 0 });
}

/**
 * Requests the reply to a command. It replaces the pending answers to the trader, and takes over the message that one of
 * them was writing. `ticket` is as it was before the command, `after` as it is with it.
 */
export async function requestCommand(
  ctx: OperationContext,
  ticket: TicketState,
  after: TicketState,
  { instruction, command, askedBy }: { instruction: string; command: string; askedBy: string },
): Promise<void> {
  const pending = ticket.pending_runs;
  // An earlier command that has no reply yet has already changed the status: the state before it is restored.
  const unanswered = pending.find(
    (run) => run.last_message_at === ticket.last_message_at && ticket.status === 'awaiting_trader',
  );
  const answers = pending.filter(({ kind }) => kind === 'answer');
  let left = after;
  for (const run of answers) {
    left = await move(ctx, left, run, 'replace');
    interruptWorker(ctx, run);
  }
  const messageId = answers.find(({ message_id }) => message_id !== null)?.message_id;
  if (messageId) {
    await moveReplyToEnd(ctx, after, messageId);
    await publishReset(ctx, ticket, messageId);
  }
  await request(ctx, {
    ticket: { ...ticket, status: unanswered?.status_before ?? ticket.status },
    kind: 'command',
    instruction,
    command,
    askedBy,
    isFirst: answers.length === pending.length,
    messageId,
    replacedAnswer: answers.length > 0 || unanswered?.replaced_answer === true,
  });
}

/**
 * Starts an attempt at a run: the first one, or the next after a worker that died. Returns null if there is nothing to
 * write: the run has ended, it is not the ticket's first pending run, or there is an obstacle, and then it fails.
 */
export async function startRun(
  ctx: OperationContext,
  ref: RunRef,
): Promise<(Attempt & { ticketId: string; instruction: string | null }) | null> {
  const found = await lockRun(ctx, ref);
  if (!found || found.run.ended_at) return null;
  const { run, ticket } = found;
  const [first] = ticket.pending_runs;
  if (first?.id !== run.id) return null;
  const obstacle = obstacleOf(run, ticket);
  // Only before the first attempt: the trader has not waited for a reply that then does not come.
  const reason =
    obstacle ?? (run.hand_over && run.attempt === 0 ? reasonToHandOver(run.hand_over, ticket) : null);
  if (reason) {
    await fail(ctx, run, ticket, reason, { isHandedOver: obstacle === null });
    // Last, as in `request`.
    if (run.lost_right || obstacle === null) await returnAllowance(ctx, run);
    return null;
  }
  if (run.message_id && run.attempt > 0) await publishReset(ctx, ticket, run.message_id);
  const messageId = run.message_id ?? (await addEmptyReply(ctx, ticket));
  const attempt = run.attempt + 1;
  await move(ctx, ticket, run, 'start', sql`, attempt = ${attempt}, streamed = 0, message_id = ${messageId}`);
  return { ...ref, attempt, ticketId: ticket.id, instruction: run.instruction };
}

/** Starts the next attempt of a worker whose text so far is no reply, as `startRun` does. Returns null for a superseded attempt. */
export async function restartRun(ctx: OperationContext, attempt: Attempt): Promise<Attempt | null> {
  return (await lockAttempt(ctx, attempt)) ? await startRun(ctx, attempt) : null;
}

/** Completes a run with its reply, or fails it if there is an obstacle now. Does nothing for a superseded attempt. */
export async function completeRun(
  ctx: OperationContext,
  attempt: Attempt,
  text: string,
  articles: readonly ArticleRef[],
): Promise<void> {
  const found = await lockAttempt(ctx, attempt);
  if (!found) return;
  const { run, ticket } = found;
  const obstacle = obstacleOf({ ...run, attempt: 0 }, ticket);
  if (obstacle) {
    await fail(ctx, run, ticket, obstacle);
    return;
  }
  const based = articles.length > 0 ? sql`, articles = ${JSON.stringify(articles)}::jsonb` : sql``;
  const left = await move(ctx, ticket, run, 'complete', based);
  // If the trader has written again, the ticket stays open for the answer to that.
  const isAnswered = run.kind === 'answer' && left.pending_runs.length === 0;
  const status = isAnswered ? statusAfter('answered', ticket.status) : ticket.status;
  const after = await finishReply(
    ctx,
    left,
    run.message_id!,
    { from: 'ai', author: ASSISTANT, body: text, articleIds: articles.map(({ id }) => id) },
    { status },
  );
  await rebaseCommands(ctx, run, after);
}

/** Fails a run for its worker, in the given or any attempt. Does nothing if the run has ended or `attempt` is superseded. */
export async function failRun(
  ctx: OperationContext,
  { attempt, ...ref }: RunRef & { attempt?: number },
  reason: string,
): Promise<void> {
  const found = attempt === undefined ? await lockRun(ctx, ref) : await lockAttempt(ctx, { ...ref, attempt });
  if (found && !found.run.ended_at) await fail(ctx, found.run, found.ticket, reason);
}

/** Fails all pending runs of a locked ticket. Returns how many there were. */
export async function stopRuns(ctx: OperationContext, ticket: TicketState, reason: string): Promise<number> {
  let state = ticket;
  for (const run of ticket.pending_runs) state = await stop(ctx, run, state, reason);
  return ticket.pending_runs.length;
}

/**
 * Withdraws a command of an account that has no reply yet, as if it had not been given; it stays counted. Returns false if there is none with this
 * note.
 */
export async function withdrawCommand(
  ctx: OperationContext,
  before: TicketState,
  { command, askedBy }: { command: string; askedBy: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from assistant_runs
    where workspace_id = ${before.workspace_id} and ticket_id = ${before.id} and command_id = ${command} and asked_by = ${askedBy}
      and ended_at is null`.execute(ctx.db);
  const run = before.pending_runs.find(({ id }) => id === rows[0]?.id);
  if (!run) return false;
  const ticket = await move(ctx, before, run, 'withdraw', sql`, message_id = null`);
  const messages = run.message_id === null ? [command] : [command, run.message_id];
  const after = await deleteMessages(ctx, ticket, messages, {
    status: statusAfterFailure(run, ticket, false),
  });
  interruptWorker(ctx, run);
  await resumeAnswer(ctx, run, ticket, after);
  return true;
}

/** Fails the commands of a locked ticket that waited, or were being answered, while their firm was suspended. */
export async function failSuspendedCommands(ctx: OperationContext, ticket: TicketState): Promise<void> {
  const commands = ticket.pending_runs.filter(({ kind }) => kind === 'command');
  let state = ticket;
  for (const run of commands) {
    state = await fail(ctx, run, state, describeLostRight('firm_suspended', 'the teammate who asked for it'));
    interruptWorker(ctx, run);
  }
  for (const run of commands) await returnAllowance(ctx, run);
}

/** Fails the pending runs for which a change of the locked ticket is an obstacle. Returns the ticket. */
export async function stopObsoleteRuns(ctx: OperationContext, ticket: TicketState): Promise<TicketState> {
  let state = ticket;
  for (const run of ticket.pending_runs) {
    const obstacle = obstacleOf({ ...run, allowed: true, attempt: 0 }, ticket);
    if (obstacle) state = await stop(ctx, run, state, obstacle);
  }
  return state;
}

async function lockAttempt(ctx: OperationContext, attempt: Attempt) {
  const found = await lockRun(ctx, attempt);
  return found?.run.state === 'running' && found.run.attempt === attempt.attempt ? found : undefined;
}

interface NewRun {
  /** The ticket before the message or command that caused the run. */
  ticket: TicketState;
  kind: Run['kind'];
  instruction: string | null;
  /** The note with a command. */
  command?: string;
  /** The account that gave a command. */
  askedBy?: string;
  /** Whether no other run of the ticket is pending. */
  isFirst: boolean;
  /** The message that the reply is written into; by default `startRun` adds one. */
  messageId?: string | null | undefined;
  replacedAnswer?: boolean;
}

/** The move `request`. Also adds a run beyond the firm's allowance, which fails with a note when it is started. */
async function request(
  ctx: OperationContext,
  { ticket, kind, instruction, command, askedBy, isFirst, messageId = null, replacedAnswer = false }: NewRun,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into assistant_runs
      (workspace_id, ticket_id, kind, instruction, message_id, status_before, last_message_at, replaced_answer, command_id, asked_by, created_at)
    values (${ticket.workspace_id}, ${ticket.id}, ${kind}, ${instruction}, ${messageId}, ${ticket.status},
      ${ticket.last_message_at}, ${replacedAnswer}, ${command ?? null}, ${askedBy ?? null}, ${ctx.now.toISOString()})
    returning id::text as id`.execute(ctx.db);
  // A ticket's runs are in the order of their ids, because the ticket is locked.
  const { id } = rows[0]!;
  if (isFirst) await enqueueRun(ctx, { workspaceId: ticket.workspace_id, runId: id });
  // The allowance is used last, because all requests of the firm wait for the lock of its row.
  await consumeAllowance(ctx, { id, workspace_id: ticket.workspace_id });
}

/**
 * All moves but `request`: writes the state, and enqueues the ticket's next run if this one ends. Returns the
 * ticket, without the run if it has ended.
 */
async function move(
  ctx: OperationContext,
  ticket: TicketState,
  run: PendingRun | Run,
  name: keyof typeof moves,
  columns: RawBuilder<unknown> = sql``,
): Promise<TicketState> {
  const { from, to }: { from: readonly RunState[]; to: RunState } = moves[name];
  if (!from.includes(run.state)) throw new Error(`Run ${run.id} is ${run.state}: no move "${name}".`);
  const endedAt = to === 'running' ? null : ctx.now.toISOString();
  await sql`
    update assistant_runs set state = ${to}, ended_at = ${endedAt}${columns}
    where workspace_id = ${run.workspace_id} and id = ${run.id}`.execute(ctx.db);
  if (endedAt === null) return ticket;
  const pending_runs = ticket.pending_runs.filter(({ id }) => id !== run.id);
  const [next] = pending_runs;
  // If the next run is older, it already has its job.
  if (next && BigInt(next.id) > BigInt(run.id))
    await enqueueRun(ctx, { workspaceId: run.workspace_id, runId: next.id });
  return { ...ticket, pending_runs };
}

/**
 * The move `fail`: replaces the reply with a note for the team that states the reason. Returns the changed ticket. With `isHandedOver`,
 * the assistant stays off. With `isStopped`, an answer that the command had replaced is not requested again.
 */
async function fail(
  ctx: OperationContext,
  run: PendingRun | Run,
  before: TicketState,
  reason: string,
  { isStopped = false, isHandedOver = false } = {},
): Promise<TicketState> {
  const ticket = await move(ctx, before, run, 'fail');
  // The team took over before the answer was visible: a note would say nothing new.
  if (run.kind === 'answer' && !run.message_id && ticket.status !== 'open') return ticket;
  const note = {
    from: 'system',
    authorId: null,
    author: 'System',
    body: `The assistant did not answer: ${reason}.`,
    internal: true,
    event: 'ai_command_failed',
  } as const;
  const status = statusAfterFailure(run, ticket, isStopped);
  const change = isHandedOver ? { status, ai_enabled: false } : { status };
  const after = run.message_id
    ? await finishReply(ctx, ticket, run.message_id, note, change)
    : (await addMessage(ctx, ticket, note, change)).ticket;
  return resumeAnswer(ctx, run, ticket, after);
}

/** Requests the answer that a command without a reply had replaced, if the ticket is open again. Returns the ticket. */
async function resumeAnswer(
  ctx: OperationContext,
  run: Pick<Run, 'replaced_answer'>,
  ticket: TicketState,
  after: TicketState,
): Promise<TicketState> {
  const awaitsAnswer = run.replaced_answer || after.last_from === 'trader';
  if (after.status !== ticket.status && awaitsAnswer) await answerTrader(ctx, after);
  return after;
}

/** Returns the status from before the run, unless the ticket has changed since; but `open` only if an answer can follow. */
function statusAfterFailure(run: PendingRun | Run, ticket: TicketState, isStopped: boolean): TicketStatus {
  if (run.kind === 'answer') return ticket.status === 'open' ? 'awaiting_admin' : ticket.status;
  const isUnchanged = ticket.status === 'awaiting_trader' && ticket.last_message_at === run.last_message_at;
  if (!isUnchanged || ticket.pending_runs.length > 0) return ticket.status;
  const canAnswer = run.allowed && ticket.ai_enabled && !isStopped;
  return run.status_before === 'open' && !canAnswer ? 'awaiting_admin' : run.status_before;
}

async function stop(
  ctx: OperationContext,
  run: PendingRun,
  ticket: TicketState,
  reason: string,
): Promise<TicketState> {
  const after = await fail(ctx, run, ticket, reason, { isStopped: true });
  interruptWorker(ctx, run);
  return after;
}

/**
 * Changes the status that a failure of the ticket's later commands restores, now that `run` has stored its reply. Without
 * messages between the two requests it is `awaiting_trader`. Otherwise the reply may not consider these messages, and `open`
 * becomes `awaiting_admin`.
 */
async function rebaseCommands(ctx: OperationContext, run: Run, ticket: TicketState): Promise<void> {
  await sql`
    update assistant_runs set last_message_at = ${ticket.last_message_at}, status_before = case
      when last_message_at = ${run.last_message_at} then 'awaiting_trader'
      when status_before = 'open' then 'awaiting_admin'
      else status_before end
    where workspace_id = ${run.workspace_id}
    and ticket_id = ${run.ticket_id} and kind = 'command' and ended_at is null`.execute(ctx.db);
}

/** Adds the reply's message. While it is streaming only the team sees it. */
async function addEmptyReply(ctx: OperationContext, ticket: TicketState): Promise<string> {
  const { message } = await addMessage(ctx, ticket, {
    from: 'ai',
    authorId: null,
    author: ASSISTANT,
    body: '',
    streaming: true,
  });
  return message.id;
}

/** Signals the run's worker, in any process, after the commit that the run has ended. Without the signal it finds out at its next delta. */
function interruptWorker(ctx: OperationContext, run: PendingRun): void {
  if (run.state === 'running') sendSignal(ctx, RUN_STOPPED, run.id);
}
