import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSeed } from './index.ts';
import { TicketMerges } from './ticket-merges.ts';

const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
const { tickets } = parseSeed({
  firms: [{ slug: 'north', name: 'North' }],
  users: [{ key: 'ben', email: 'ben@example.net', name: 'Ben' }],
  tickets: keys.map((key) => ({
    key,
    firm: 'north',
    trader: 'ben',
    subject: 'Payout',
    status: 'closed',
    created_at: 'now',
  })),
});

test('accepts exactly those merges that make no circle', () => {
  const key = fc.constantFrom(...keys);
  fc.assert(
    fc.property(fc.array(fc.tuple(key, key), { maxLength: 20 }), (pairs) => {
      const merges = new TicketMerges();
      for (const ticket of tickets) merges.addTicket(ticket);
      const merged = new Map<string, string>();
      for (const [ticket, into] of pairs) {
        let end = into;
        for (let next = merged.get(end); next !== undefined; next = merged.get(end)) end = next;
        const problems = merges.add({ firm: 'north', ticket, into }, []);
        // A ticket that was merged before is no end.
        expect(problems.length).toBe(end === ticket ? 1 : 0);
        if (problems.length === 0 && !merged.has(ticket)) merged.set(ticket, into);
      }
    }),
  );
});
