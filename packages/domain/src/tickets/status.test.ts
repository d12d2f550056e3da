import { ticketStatuses } from '@firmdesk/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEnded, statusAfter, type TicketEvent, transitions } from './status.ts';

const events = Object.keys(transitions) as TicketEvent[];

test('whatever happens to a ticket: it is in a state there is, and once ended it stays so', () => {
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

test('only the team ends a ticket', () => {
  const ending = events.filter((event) => Object.values(transitions[event]).some(isEnded));
  expect(ending.sort()).toEqual(['set_closed', 'set_resolved']);
});
