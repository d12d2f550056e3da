import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseTicket, type NamedTicket, numbersIn } from './choose-ticket.ts';

const person = fc.constantFrom('kim@example.com', 'Kim@Example.com', 'lee@example.com');
const ticket = (names: readonly string[]): fc.Arbitrary<NamedTicket> =>
  fc.record({ id: fc.constantFrom('t1', 't2', 't3'), trader: person, name: fc.constantFrom(...names) });
const IDS = ['m1@x', 'm2@x', 'm3@x'];
const NUMBERS = ['AAAAAA', 'BBBBBB'];
const mail = fc.record({
  from: person,
  references: fc.array(fc.constantFrom(...IDS, 'unknown@x'), { maxLength: 4 }),
  subject: fc
    .array(fc.constantFrom('Re:', 'Payout', '[#AAAAAA]', '#bbbbbb', '#CCCCCC'), { maxLength: 4 })
    .map((words) => words.join(' ')),
  isTrusted: fc.boolean(),
});
const named = fc.record({
  byReference: fc.array(ticket(IDS), { maxLength: 4 }),
  byNumber: fc.array(ticket(NUMBERS), { maxLength: 4 }),
});

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

describe('the ticket that a mail continues', () => {
  test('is always one of its sender that it names', () => {
    fc.assert(
      fc.property(mail, named, (mail, named) => {
        const chosen = chooseTicket(mail, named);
        if (chosen === null) return;
        const names = [...mail.references, ...numbersIn(mail.subject)];
        expect(
          [...named.byReference, ...named.byNumber].some(
            ({ id, trader, name }) => id === chosen && isSame(trader, mail.from) && names.includes(name),
          ),
        ).toBe(true);
      }),
    );
  });

  test('is that of a reference before that of a number, and that of the nearest reference', () => {
    fc.assert(
      fc.property(mail, named, (mail, named) => {
        const own = named.byReference.filter(({ trader }) => isSame(trader, mail.from));
        const nearest = mail.references.findLast((reference) => own.some(({ name }) => name === reference));
        if (nearest === undefined) return;
        const chosen = chooseTicket(mail, named);
        expect(own.some(({ id, name }) => id === chosen && name === nearest)).toBe(true);
      }),
    );
  });

  test('is never chosen by the words of a subject, and by a number only if the sender is trusted', () => {
    fc.assert(
      fc.property(mail, named, (mail, named) => {
        const noNumbers = { ...mail, references: [], subject: mail.subject.replaceAll('#', '') };
        expect(chooseTicket(noNumbers, named)).toBeNull();
        expect(chooseTicket({ ...mail, references: [], isTrusted: false }, named)).toBeNull();
      }),
    );
  });

  test('of a stranger is none', () => {
    fc.assert(
      fc.property(mail, named, (mail, named) => {
        expect(chooseTicket({ ...mail, from: 'mallory@example.com' }, named)).toBeNull();
      }),
    );
  });
});

test.each([
  ['Re: Payout [#a1b2c3]', ['A1B2C3']],
  ['#A1B2C3 and #a1b2c3 and #D4E5F6', ['A1B2C3', 'D4E5F6']],
  ['#A1B2C3D', []],
  ['A1B2C3', []],
  ['#'.repeat(5_000), []],
])('the numbers in %j', (subject, numbers) => {
  expect(numbersIn(subject)).toEqual(numbers);
});
