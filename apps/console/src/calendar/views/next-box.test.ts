import { expect, test } from 'vitest';
import { type Box, nextBox } from './next-box.ts';

const box = (day: number, from: number, until: number, column = 0, columns = 1): Box => ({
  left: day * 100 + (column / columns) * 100,
  right: day * 100 + ((column + 1) / columns) * 100,
  top: from * 48,
  bottom: until * 48,
});
const boxes = {
  monday9: box(0, 9, 10),
  monday14: box(0, 14, 15),
  tuesday8: box(1, 8, 9),
  tuesdayLeft: box(1, 13, 15, 0, 2),
  tuesdayRight: box(1, 13, 14, 1, 2),
  friday9: box(4, 9, 10),
};
const names = Object.keys(boxes);

test.each([
  ['monday9', 'down', 'monday14'],
  ['monday14', 'up', 'monday9'],
  ['monday9', 'right', 'tuesday8'],
  ['monday14', 'right', 'tuesdayLeft'],
  ['tuesdayLeft', 'right', 'tuesdayRight'],
  ['tuesdayRight', 'right', 'friday9'],
  ['friday9', 'left', 'tuesday8'],
  ['tuesday8', 'right', 'friday9'],
  ['monday9', 'left', null],
  ['friday9', 'right', null],
  ['monday9', 'up', null],
  ['friday9', 'down', null],
] as const)('from %s, %s goes to %s', (from, direction, to) => {
  const at = nextBox(Object.values(boxes), names.indexOf(from), direction);
  expect(at === null ? null : names[at]).toBe(to);
});
