import { readFileSync } from 'node:fs';
import type { DraftStreamEvent } from '@firmdesk/contract';
import type { Script } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  follow,
  followTicket,
  openAssistantGateway,
  type TicketFixture,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startWorkers, type Worker } from '../index.ts';
import { replyLimits } from './reply-limits.ts';

/** What an endpoint answers, and what comes of it. */
interface Case extends Script {
  name: string;
  /** By default a command of the team. */
  ask?: 'command' | 'answer' | 'draft';
  expect: Outcome | { anyOf: Outcome[] };
  /** A text that nobody may see. */
  never?: string;
}

/** `reply`: it is stored, and is what the deltas say. `failed`: there is none, and the team is told. */
type Outcome = 'failed' | { reply: string };

const cases: Case[] = JSON.parse(readFileSync(new URL('model-answers.json', import.meta.url), 'utf8'));
const { model, gateway } = await openAssistantGateway();
const WAIT = { timeout: 60_000 };
const usual = { ...replyLimits };
let worker: Worker;

beforeAll(async () => {
  // The cases about long waits last six seconds.
  Object.assign(replyLimits, { firstTokenMs: 4_000, betweenTokensMs: 4_000 });
  model.behave(({ body }) => {
    const number = /Case (\d+)\b/.exec(body.messages[1]!.content)![1];
    return { kind: 'script', ...cases[Number(number)]! };
  });
  worker = await startWorkers(gateway.services);
});
afterAll(async () => {
  await worker.stop();
  Object.assign(replyLimits, usual);
});

/** Everything that people were sent, as JSON, and the outcome. */
interface Seen {
  outcome: Outcome;
  all: string;
}

async function seeDraft(fixture: TicketFixture, ticket: string, instruction: string): Promise<Seen> {
  using draft = await follow<DraftStreamEvent>(gateway.url, { token: fixture.token }, (trpc, handlers) =>
    trpc.tickets.draftReply.subscribe({ ticket, instruction }, handlers),
  );
  await vi.waitFor(() => expect(draft.events.at(-1)?.data.type).toMatch(/^(done|failed)$/), WAIT);
  expect(await fixture.messagesOf(ticket)).toEqual([]);
  const reply = draft.events.map(({ data }) => (data.type === 'text_delta' ? data.text : '')).join('');
  return {
    outcome: draft.events.at(-1)!.data.type === 'done' ? { reply } : 'failed',
    all: reply + JSON.stringify(draft.events),
  };
}

async function seeReply(fixture: TicketFixture, ticket: string, ask: () => Promise<unknown>): Promise<Seen> {
  using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
  await ask();
  const end = await vi.waitFor(() => {
    const found = viewer
      .messages()
      .find(({ from, event, streaming }) => (from === 'ai' && !streaming) || event === 'ai_command_failed');
    expect(found).toBeDefined();
    return found!;
  }, WAIT);
  const replies = (await fixture.messagesOf(ticket)).filter(({ from_kind }) => from_kind === 'ai');
  const shown = viewer.events.map(({ data }) => (data.type === 'text_delta' ? data.text : '')).join('');
  const all = shown + JSON.stringify([viewer.events, await fixture.messagesOf(ticket)]);
  if (end.event === 'ai_command_failed') {
    expect(replies).toEqual([]);
    return { outcome: 'failed', all };
  }
  expect(replies).toMatchObject([{ body: end.body, streaming: false }]);
  expect(viewer.textOf(end.id)).toBe(end.body);
  return { outcome: { reply: end.body }, all };
}

describe.concurrent('an answer of a model', () => {
  test.each(cases.map((answer, number) => [answer.name, number, answer] as const))(
    '%s',
    async (_, number, { ask = 'command', expect: expected, never }) => {
      const fixture = await createTicketFixture(gateway);
      const ticket = await fixture.createTicket(ask === 'answer' ? { status: 'open' } : {});
      const instruction = `Case ${number}`;
      const { token: platform } = await createUserWithToken(gateway, { firm: fixture.firm });
      const { outcome, all } =
        ask === 'draft'
          ? await seeDraft(fixture, ticket, instruction)
          : await seeReply(fixture, ticket, () =>
              ask === 'command'
                ? fixture.askAssistant(ticket, instruction)
                : gateway.rpc('tickets.platform.write', {
                    token: platform,
                    body: { ticket, from: fixture.trader.email, body: instruction },
                  }),
            );
      expect(
        typeof expected === 'object' && 'anyOf' in expected ? expected.anyOf : [expected],
      ).toContainEqual(outcome);
      if (never !== undefined) expect(all).not.toContain(never);
      if (ask === 'answer')
        expect(await fixture.statusOf(ticket)).toBe(
          outcome === 'failed' ? 'awaiting_admin' : 'awaiting_trader',
        );
    },
  );
});
