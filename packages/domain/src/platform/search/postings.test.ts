import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberSet } from './number-set.ts';
import { decodePostings, encodePostings } from './postings.ts';

const numbers = fc
  .uniqueArray(fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1)), { maxLength: 60 })
  .map((list) => list.sort((a, b) => a - b));

test('decodes what it encoded, also when lists are concatenated', () => {
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 4 }), (lists) => {
      const bytes = Buffer.concat(lists.map((list) => encodePostings(list)));
      expect(decodePostings(bytes)).toEqual([...new Set(lists.flat())].sort((a, b) => a - b));
    }),
  );
});

test('takes one byte for a number that is close to the one before', () => {
  const list = Array.from({ length: 100 }, (_, i) => i * 100);
  expect(encodePostings(list)).toHaveLength(1 + list.length);
  expect(encodePostings([])).toHaveLength(0);
});

test('intersects sets of tickets, and ignores tickets that were numbered later', () => {
  const small = fc.uniqueArray(fc.nat(200)).map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(small, small, fc.nat(150), (a, b, size) => {
      const [one, other] = [a, b].map((list) => {
        const set = new NumberSet(size);
        set.addPostings(encodePostings(list));
        return set;
      });
      one!.intersect(other!);
      const found = one!.numbers().filter((number) => number < size);
      expect(found).toEqual(a.filter((number) => b.includes(number) && number < size));
      expect(one!.count).toBe(one!.numbers().length);
    }),
  );
});
