import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { encodeAttendances, parseAnnouncement } from './announcement.ts';
import {
  type Attendance,
  bounded,
  MAX_ATTENDANCES,
  MAX_OF_ACCOUNT,
  MAX_OF_SUBJECT,
  type SubjectPresence,
} from './attendance.ts';
import { Presence } from './presence.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

const attendance = (n: number, over: Partial<Attendance> = {}): Attendance => ({
  userId: `usr_${n}`,
  name: 'Zoë “:[” Example'.padEnd(60, 'é'),
  subject: `tkt_${n}`,
  isActive: n % 2 === 0,
  ...over,
});
const many = (count: number, over: Partial<Attendance> = {}) =>
  Array.from({ length: count }, (_, n) => attendance(n, over));

test('announces at most 500 attendances of a firm, and 20 of an account, each once', () => {
  expect(bounded(many(MAX_ATTENDANCES + 1))).toHaveLength(500);
  expect(bounded(many(MAX_OF_ACCOUNT + 1, { userId: 'usr_1' }))).toHaveLength(20);
  const same = [attendance(1, { isActive: false }), attendance(1, { isActive: true })];
  expect(bounded(same)).toEqual([attendance(1, { isActive: true })]);
});

test('fits into notifications of PostgreSQL', () => {
  const all = many(MAX_ATTENDANCES);
  const parts = encodeAttendances(all);
  expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThan(7_900);
  const parsed = parts.map((part, i) => parseAnnouncement(`are:one:7:${i}:${parts.length}:${part}`)!);
  expect(parsed.flatMap(({ attendances }) => attendances)).toEqual(all);
  expect(parsed[0]).toMatchObject({ workspaceId: 7, index: 0, parts: parts.length });
  expect(parseAnnouncement('are:one:7:0:1:{')).toBeNull();
});

test('shows at most 20 accounts of a subject, and those of another process until it is silent', async () => {
  const times = { joinMs: 1, aliveMs: 100, lostMs: 60_000 };
  const [here, there] = [
    new Presence(base.services.signals, { ...times, lostMs: 1 }),
    new Presence(base.services.signals, times),
  ];
  const known = new Map<string, SubjectPresence>();
  const { stop } = here.follow(1, ({ subjects }) => {
    for (const each of subjects) known.set(each.subject, each);
  });
  const leaves = many(MAX_OF_SUBJECT + 1, { subject: 'tkt_1' }).map((each) => there.attend(1, each));
  await expect.poll(() => known.get('tkt_1')?.attendees.length).toBe(20);
  // It was silent for more than a millisecond at the next sweep, and is shown again with its next announcement.
  await expect.poll(() => known.get('tkt_1')?.attendees.length).toBe(0);
  for (const leave of leaves) leave();
  stop();
  await expect.poll(() => [here.isIdle, there.isIdle]).toEqual([true, true]);
});
