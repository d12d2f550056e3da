import { expect, test } from 'vitest';
import { type DragOrigin, draggedTime } from './drag.ts';

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const times = (origin: DragOrigin, to: string) => {
  const { start, end } = draggedTime(origin, at(to));
  return [start, end].map((time) => new Date(time).toISOString().slice(11, 16));
};

test.each([
  ['down', '12:03', '13:29', ['12:00', '13:30']],
  ['up', '13:29', '12:03', ['12:00', '13:30']],
  ['hardly', '12:02', '12:04', ['12:00', '12:15']],
])('a new event has the times that the pointer covered, dragged %s', (_, from, to, expected) => {
  expect(times({ kind: 'create', at: at(from) }, to)).toEqual(expected);
});

test('an event keeps its length and the place at which it is held', () => {
  const origin: DragOrigin = { kind: 'move', at: at('09:40'), start: at('09:10'), end: at('10:00') };
  expect(times(origin, '11:40')).toEqual(['11:15', '12:05']);
  expect(times(origin, '00:10')).toEqual(['23:45', '00:35']);
});

test('the end of an event does not come before its start', () => {
  const origin: DragOrigin = { kind: 'resize', start: at('09:00') };
  expect(times(origin, '10:20')).toEqual(['09:00', '10:30']);
  expect(times(origin, '08:00')).toEqual(['09:00', '09:15']);
});
