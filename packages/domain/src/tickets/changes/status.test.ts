import { messageAuthors, ticketStatuses } from '@firmdesk/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importedState, isEnded, type StatusEvent, statusAfter, transitions } from './status.ts';

const events = Object.keys(transitions) as StatusEvent[];

test('keeps a valid status through any events, and a final one for good', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ticketStatuses),
      fc.array(fc.constantFrom(...events)),
      (start, sequence) => {
        let status = start;
        for (const event of sequence) {
          if (isEnded(status)) {
            expect(() => statusAfter(event, status)).toThrow(
              expect.objectContaining({ apiCode: 'ticket_ended' }),
            );
            continue;
          }
          status = statusAfter(event, status);
          expect(ticketStatuses).toContain(status);
        }
      },
    ),
  );
});

test('lets only the team end a ticket', () => {
  const ending = events.filter((event) => Object.values(transitions[event]).some(isEnded));
  expect(ending.sort()).toEqual(['set_closed', 'set_resolved']);
});

test('keeps an imported ticket open only if the assistant is on and the trader does not wait for an answer', () => {
  const message = fc.record({
    from: fc.constantFrom(...messageAuthors),
    internal: fc.boolean(),
    at: fc.integer({ min: 10, max: 99 }).map(String),
  });
  const ticket = fc.record({
    status: fc.constantFrom(...ticketStatuses),
    ai_enabled: fc.boolean(),
    messages: fc.uniqueArray(message, { selector: ({ at }) => at }),
  });
  fc.assert(
    fc.property(ticket, ({ status, ai_enabled, messages }) => {
      const imported = importedState({ status, ai_enabled, messages });
      const visible = messages
        .filter(({ from, internal }) => !internal && from !== 'system')
        .sort((a, b) => (a.at < b.at ? -1 : 1));
      const last = visible.at(-1)?.from;
      const hasTeamAnswered = visible.some(({ from }) => from === 'admin');
      expect(imported.ai_enabled).toBe(ai_enabled && !hasTeamAnswered);
      if (status !== 'open') expect(imported.status).toBe(status);
      else if (last === 'trader') expect(imported.status).toBe('awaiting_admin');
      else if (imported.ai_enabled) expect(imported.status).toBe('open');
      else expect(imported.status).toBe(last ? 'awaiting_trader' : 'awaiting_admin');
    }),
  );
});
