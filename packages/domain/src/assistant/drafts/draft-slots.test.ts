import { expect, test } from 'vitest';
import type { AccountContext } from '../../procedures/call-context.ts';
import {
  MAX_CONCURRENT_DRAFTS,
  MAX_DRAFTS_OF_ACCOUNT,
  MAX_DRAFTS_OF_FIRM,
  takeDraftSlot,
} from './draft-slots.ts';

const never = new AbortController().signal;
const take = (firm: number, user: string, signal = never) =>
  takeDraftSlot({ workspace: { id: firm }, identity: { user: { id: user } } } as AccountContext, signal);
const refused = { apiCode: 'rate_limited' };
/** Lets promises that are settled already run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('firms whose drafts wait take turns, and one that stops waiting leaves the line', async () => {
  const releases: (() => void)[] = [];
  for (let count = 0; count < MAX_CONCURRENT_DRAFTS; count++)
    releases.push(await take(Math.floor(count / MAX_DRAFTS_OF_FIRM), `usr_${count}`));
  const served: string[] = [];
  const wait = (firm: number, user: string, signal?: AbortSignal) =>
    take(firm, user, signal).then((release) => {
      served.push(user);
      releases.push(release);
    });
  const leaving = new AbortController();
  const waiting = [wait(8, 'first of 8'), wait(8, 'second of 8'), wait(9, 'first of 9')];
  const left = expect(wait(10, 'first of 10', leaving.signal)).rejects.toThrow('gone');
  await settle();
  expect(served).toEqual([]);
  leaving.abort(new Error('gone'));
  await left;
  for (let count = 0; count < 3; count++) releases.shift()!();
  await Promise.all(waiting);
  expect(served).toEqual(['first of 8', 'first of 9', 'second of 8']);
  for (const release of releases) release();
  await settle();
});

test('an account has its share in all firms together, with drafts that wait, and gets it back once for each', async () => {
  const signals = Array.from({ length: MAX_DRAFTS_OF_ACCOUNT }, () => new AbortController());
  const releases = await Promise.all(signals.map(({ signal }, firm) => take(firm, 'usr_a', signal)));
  await expect(take(20, 'usr_a')).rejects.toMatchObject(refused);
  (await take(20, 'usr_b'))();
  releases[0]!();
  releases[0]!();
  signals[0]!.abort();
  await settle();
  const again = await take(20, 'usr_a');
  await expect(take(21, 'usr_a')).rejects.toMatchObject(refused);
  for (const release of [...releases, again]) release();
  await settle();
});
