import { FirmdeskError } from '@firmdesk/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DraftContent, DraftSaver, type StoredDraft, type UnsavedDraft } from './draft-saver.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const empty: DraftContent = {
  address_id: 1,
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  body: '',
  files: [],
  in_reply_to: null,
};

/** A fake service with one draft, and a fake browser storage. */
function fakeStorage(version = 'v1') {
  let stored: StoredDraft = { content: empty, version };
  let saves = 0;
  let isDown = false;
  let losesResponse = false;
  const all = {
    unsaved: null as UnsavedDraft | null,
    get saves() {
      return saves;
    },
    get stored() {
      return stored;
    },
    goOffline: () => {
      isDown = true;
    },
    goOnline: () => {
      isDown = false;
    },
    loseNextResponse: () => {
      losesResponse = true;
    },
    saveElsewhere: (content: DraftContent) => {
      stored = { content, version: `${stored.version}'` };
    },
    async save(content: DraftContent, over: string) {
      saves++;
      if (isDown) throw new FirmdeskError('network', { message: 'No response.' });
      if (content.to === 'no address') throw new FirmdeskError('validation_failed', { message: 'A field.' });
      if (over !== stored.version) throw new FirmdeskError('precondition_failed', { message: 'Changed.' });
      stored = { content, version: `v${saves + 1}` };
      if (losesResponse) {
        losesResponse = false;
        throw new FirmdeskError('timeout', { message: 'The service did not respond in time.' });
      }
      const isPartly = content.to.endsWith('half@');
      return {
        version: stored.version,
        refused: isPartly ? new FirmdeskError('validation_failed', { message: 'An address.' }) : null,
      };
    },
    load: async () => stored,
    keepUnsaved(unsaved: UnsavedDraft) {
      all.unsaved = unsaved;
    },
    deleteUnsaved() {
      all.unsaved = null;
    },
  };
  return all;
}

test('saves changes once after a pause and stores them in the browser until then', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  for (const subject of ['H', 'He', 'Hel']) saver.change({ subject });
  expect(storage.unsaved?.content.subject).toBe('Hel');
  await vi.runAllTimersAsync();
  expect(storage.saves).toBe(1);
  expect(storage.stored.content.subject).toBe('Hel');
  expect(saver.state.status).toBe('saved');
  expect(storage.unsaved).toBeNull();
});

test('saves changes made during a save afterwards, over its version', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  saver.change({ subject: 'one' });
  const first = saver.flush();
  saver.change({ subject: 'two' });
  await first;
  expect(storage.unsaved?.content.subject).toBe('two');
  await vi.runAllTimersAsync();
  expect(storage.stored.content.subject).toBe('two');
  expect(saver.state.status).toBe('saved');
});

test('keeps changes in the browser while offline and saves them afterwards', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  storage.goOffline();
  saver.change({ body: '<p>x</p>' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('failed');
  expect(storage.unsaved?.content.body).toBe('<p>x</p>');
  storage.goOnline();
  await saver.flush();
  expect(saver.state.status).toBe('saved');
});

test('does not report a conflict with its own save whose response was lost', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  storage.loseNextResponse();
  saver.change({ subject: 'once' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('failed');
  await saver.flush();
  expect(saver.state).toMatchObject({ status: 'saved', theirs: null });
});

test('reports a conflict with another save and saves nothing until the user chooses', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  storage.saveElsewhere({ ...empty, subject: 'theirs' });
  saver.change({ subject: 'mine' });
  await vi.runAllTimersAsync();
  expect(saver.state).toMatchObject({ status: 'conflict', theirs: { content: { subject: 'theirs' } } });
  saver.change({ subject: 'mine, longer' });
  await vi.runAllTimersAsync();
  expect(storage.stored.content.subject).toBe('theirs');
  expect(storage.unsaved?.content.subject).toBe('mine, longer');
  await saver.keepMine();
  expect(storage.stored.content.subject).toBe('mine, longer');
  expect(saver.state.status).toBe('saved');
});

test('replaces the content by the other version on request', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  storage.saveElsewhere({ ...empty, subject: 'theirs' });
  saver.change({ subject: 'mine' });
  await vi.runAllTimersAsync();
  saver.takeTheirs();
  expect(saver.state).toMatchObject({ status: 'saved', content: { subject: 'theirs' }, revision: 1 });
  expect(storage.unsaved).toBeNull();
});

test('shows what was saved elsewhere unless something is unsaved, and no older version', async () => {
  const storage = fakeStorage('v5');
  const saver = new DraftSaver(storage.stored, null, storage);
  saver.follow({ content: { ...empty, subject: 'older' }, version: 'v4' });
  expect(saver.state.content.subject).toBe('');
  storage.saveElsewhere({ ...empty, subject: 'theirs', cc: 'cy@example.com' });
  saver.follow(storage.stored);
  expect(saver.state).toMatchObject({ status: 'saved', content: storage.stored.content, revision: 1 });
  // What is typed next is saved over it.
  saver.change({ subject: 'mine' });
  saver.follow({ content: { ...empty, subject: 'late' }, version: 'v6' });
  expect(saver.state.content.subject).toBe('mine');
  await vi.runAllTimersAsync();
  expect(saver.state).toMatchObject({ status: 'saved', revision: 1 });
  expect(storage.stored.content).toMatchObject({ subject: 'mine', cc: 'cy@example.com' });
});

test('retries a rejected draft only after a change', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  saver.change({ to: 'no address' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('rejected');
  await saver.flush();
  expect(storage.saves).toBe(1);
  saver.change({ to: 'ann@example.com' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('saved');
});

test('saves changes left by an earlier visit, or reports a conflict if the draft has changed', async () => {
  const storage = fakeStorage('v7');
  const mine = { ...empty, subject: 'mine' };
  const again = new DraftSaver(storage.stored, { content: mine, version: 'v7' }, storage);
  expect(again.state.content.subject).toBe('mine');
  await vi.runAllTimersAsync();
  expect(storage.stored.content.subject).toBe('mine');
  const late = new DraftSaver(storage.stored, { content: { ...mine, body: 'x' }, version: 'v7' }, storage);
  expect(late.state.status).toBe('conflict');
});

test('flushes what was typed during a save, too', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  saver.change({ subject: 'one' });
  void saver.flush();
  saver.change({ subject: 'two' });
  await saver.flush();
  expect(storage.stored.content.subject).toBe('two');
  expect(storage.unsaved).toBeNull();
});

test('does not report a conflict when recipients are stored in another form than they were typed in', () => {
  const storage = fakeStorage('v2');
  storage.saveElsewhere({ ...empty, to: 'ann@example.com, bob@example.com' });
  const typed = { ...empty, to: 'Ann <ann@example.com>;bob@example.com,' };
  const again = new DraftSaver(storage.stored, { content: typed, version: 'v1' }, storage);
  expect(again.state).toMatchObject({ status: 'saved', theirs: null });
});

test('saves all but an address that is not typed whole, says so, and keeps what was typed', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  saver.change({ to: 'ann@example.com, half@', subject: 'Terms' });
  await vi.runAllTimersAsync();
  expect(storage.stored.content.subject).toBe('Terms');
  expect(saver.state).toMatchObject({ status: 'partly', error: { code: 'validation_failed' } });
  expect(storage.unsaved).toEqual({
    content: saver.state.content,
    version: storage.stored.version,
    isPartlySaved: true,
  });
  saver.change({ to: 'ann@example.com' });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('saved');
  expect(storage.unsaved).toBeNull();
});

test('keeps a file that is being uploaded when the draft is saved elsewhere, and saves it once it is stored', async () => {
  const storage = fakeStorage();
  const saver = new DraftSaver(storage.stored, null, storage);
  const file = { key: 'k', id: null, name: 'may.csv', type: 'text/csv', size: 8 };
  saver.change({ files: [file] });
  await vi.runAllTimersAsync();
  expect(saver.state.status).toBe('saved');
  storage.saveElsewhere({ ...empty, subject: 'theirs' });
  saver.follow(storage.stored);
  expect(saver.state.content).toMatchObject({ subject: 'theirs', files: [file] });
  saver.change({ files: [{ ...file, id: 'matt_1' }] });
  await vi.runAllTimersAsync();
  expect(storage.stored.content).toMatchObject({ subject: 'theirs', files: [{ id: 'matt_1' }] });
});
