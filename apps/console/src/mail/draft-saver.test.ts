import { FirmdeskError } from '@firmdesk/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DraftContent, DraftSaver, type StoredDraft } from './draft-saver.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const empty: DraftContent = { address_id: 1, to: '', cc: '', bcc: '', subject: '', body: '' };

/** A service with one draft, and a browser that keeps what is not saved. */
function places(version = 'v1') {
  let stored: StoredDraft = { content: empty, version };
  let saves = 0;
  let isAway = false;
  let losesAnswer = false;
  const all = {
    kept: null as StoredDraft | null,
    get saves() {
      return saves;
    },
    get stored() {
      return stored;
    },
    goAway: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
    loseNextAnswer: () => {
      losesAnswer = true;
    },
    saveElsewhere: (content: DraftContent) => {
      stored = { content, version: `${stored.version}'` };
    },
    async save(content: DraftContent, over: string) {
      saves++;
      if (isAway) throw new FirmdeskError('network', { message: 'No answer came.' });
      if (content.to === 'no address') throw new FirmdeskError('validation_failed', { message: 'A field.' });
      if (over !== stored.version) throw new FirmdeskError('precondition_failed', { message: 'Changed.' });
      stored = { content, version: `v${saves + 1}` };
      if (losesAnswer) {
        losesAnswer = false;
        throw new FirmdeskError('timeout', { message: 'No answer came in time.' });
      }
      return stored.version;
    },
    load: async () => stored,
    keepUnsaved(unsaved: StoredDraft) {
      all.kept = unsaved;
    },
    deleteUnsaved() {
      all.kept = null;
    },
  };
  return all;
}

test('what is typed in a while is saved once, and until then kept in the browser', async () => {
  const desk = places();
  const saver = new DraftSaver(desk.stored, null, desk);
  for (const subject of ['H', 'He', 'Hel']) saver.change({ subject });
  expect(desk.kept?.content.subject).toBe('Hel');
  await vi.runAllTimersAsync();
  expect(desk.saves).toBe(1);
  expect(desk.stored.content.subject).toBe('Hel');
  expect(saver.state.status).toBe('saved');
  expect(desk.kept).toBeNull();
});

test('what is typed while a save is under way is saved after it, over its version', async () => {
  const desk = places();
  const saver = new DraftSaver(desk.stored, null, desk);
  saver.change({ subject: 'one' });
  const first = saver.flush();
  saver.change({ subject: 'two' });
  await first;
  expect(desk.kept?.content.subject).toBe('two');
  await vi.runAllTimersAsync();
  expect(desk.stored.content.subject).toBe('two');
  expect(saver.state.status).toBe('saved');
});

test('without a network it stays in the browser, and is saved when there is one again', async () => {
  const desk = places();
  const saver = new DraftSaver(desk.stored, null, desk);
  desk.goAway();
  saver.change({ body: '<p>x</p>' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('failed');
  expect(desk.kept?.content.body).toBe('<p>x</p>');
  desk.comeBack();
  await saver.flush();
  expect(saver.state.status).toBe('saved');
});

test('a save whose answer was lost is no conflict with itself', async () => {
  const desk = places();
  const saver = new DraftSaver(desk.stored, null, desk);
  desk.loseNextAnswer();
  saver.change({ subject: 'once' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('failed');
  await saver.flush();
  expect(saver.state).toMatchObject({ status: 'saved', theirs: null });
});

test('another save in between is a conflict, in which nothing is saved or lost until one is chosen', async () => {
  const desk = places();
  const saver = new DraftSaver(desk.stored, null, desk);
  desk.saveElsewhere({ ...empty, subject: 'theirs' });
  saver.change({ subject: 'mine' });
  await vi.runAllTimersAsync();
  expect(saver.state).toMatchObject({ status: 'conflict', theirs: { content: { subject: 'theirs' } } });
  saver.change({ subject: 'mine, longer' });
  await vi.runAllTimersAsync();
  expect(desk.stored.content.subject).toBe('theirs');
  expect(desk.kept?.content.subject).toBe('mine, longer');
  await saver.keepMine();
  expect(desk.stored.content.subject).toBe('mine, longer');
  expect(saver.state.status).toBe('saved');
});

test('theirs can be taken', async () => {
  const desk = places();
  const saver = new DraftSaver(desk.stored, null, desk);
  desk.saveElsewhere({ ...empty, subject: 'theirs' });
  saver.change({ subject: 'mine' });
  await vi.runAllTimersAsync();
  saver.takeTheirs();
  expect(saver.state).toMatchObject({ status: 'saved', content: { subject: 'theirs' }, revision: 1 });
  expect(desk.kept).toBeNull();
});

test('a field that is refused is tried again once it is changed, and not before', async () => {
  const desk = places();
  const saver = new DraftSaver(desk.stored, null, desk);
  saver.change({ to: 'no address' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('refused');
  await saver.flush();
  expect(desk.saves).toBe(1);
  saver.change({ to: 'ann@example.com' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('saved');
});

test('what an earlier visit left unsaved is saved now, or is a conflict if the draft has moved on', async () => {
  const desk = places('v7');
  const mine = { ...empty, subject: 'mine' };
  const again = new DraftSaver(desk.stored, { content: mine, version: 'v7' }, desk);
  expect(again.state.content.subject).toBe('mine');
  await vi.runAllTimersAsync();
  expect(desk.stored.content.subject).toBe('mine');
  const late = new DraftSaver(desk.stored, { content: { ...mine, body: 'x' }, version: 'v7' }, desk);
  expect(late.state.status).toBe('conflict');
});
