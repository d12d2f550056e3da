import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { authenticate } from '@firmdesk/domain';
import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ImportResult } from '../import/id-map.ts';
import { importSeed } from '../import/import-seed.ts';
import { SeedError } from '../problems.ts';
import { countRows, rowsOf } from '../testing/database.ts';
import { type Folder, openFolder, writeManyTickets } from '../testing/import-files.ts';
import { smallSeed } from '../testing/small-seed.ts';
import { type FileImportOptions, importFromFile } from './import-from-file.ts';
import type { ImportProgress } from './progress-reporter.ts';

const CHILD = new URL('../testing/import-child.ts', import.meta.url).pathname;
const DAY_MS = 86_400_000;

let folder: Folder;
beforeAll(async () => {
  folder = await openFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** The small seed with its lists in reverse order, so that they refer to lists after them. */
const backwards = Object.fromEntries(Object.entries(smallSeed).reverse());

/** Returns the imported data without random ids, for comparison. */
async function contentOf(base: TestServices): Promise<unknown> {
  return {
    counts: await countRows(base.services),
    messages: await rowsOf(
      base.services,
      'select subject, folder, snippet, message_at from mail_messages order by message_at',
    ),
    tickets: await rowsOf(
      base.services,
      `select t.subject, t.status, t.unread, t.last_from, t.search_text, json_agg(m.body order by m.created_at) as bodies
      from tickets t left join ticket_messages m on m.workspace_id = t.workspace_id and m.ticket_id = t.id
      group by t.workspace_id, t.id order by t.subject`,
    ),
    events: await rowsOf(base.services, 'select title, local_start, span_end from events order by title'),
  };
}

async function openWithSameClock({ clock }: TestServices): Promise<TestServices> {
  const opened = await openTestServices(inject('postgresUrl'));
  opened.clock.advance(clock.now().getTime() - opened.clock.now().getTime());
  return opened;
}

function keysOf(imported: ImportResult) {
  return Object.values(imported.ids).map((ids) => Object.keys(ids).sort());
}

test('imports a file with lists in any order like the same seed in memory', async () => {
  await using inMemory = await openTestServices(inject('postgresUrl'));
  await using fromFile = await openWithSameClock(inMemory);
  const expected = await importSeed(inMemory.services, smallSeed);
  const path = await folder.write('backwards.json', `\ufeff${JSON.stringify(backwards, null, 2)}`);
  const imported = await importFromFile(fromFile.services, path);
  expect(keysOf(imported)).toEqual(keysOf(expected));
  expect(imported.reports).toEqual(expected.reports);
  const { counts, ...content } = (await contentOf(inMemory)) as { counts: object };
  expect(await contentOf(fromFile)).toMatchObject({ ...content, counts: { ...counts, imports: 1 } });
  await authenticate(fromFile.services, imported.tokens['api']!, fromFile.clock.now());
});

test.each([1, 3, 1000])('imports in batches of %i, and returns the reports of all batches', async (batch) => {
  await using inMemory = await openTestServices(inject('postgresUrl'));
  await using inBatches = await openWithSameClock(inMemory);
  const expected = await importSeed(inMemory.services, smallSeed);
  const imported = await importFromFile(inBatches.services, await folder.write('small.json', smallSeed), {
    batch,
  });
  expect(keysOf(imported)).toEqual(keysOf(expected));
  expect(imported.reports).toEqual(expected.reports);
  const { counts, ...content } = (await contentOf(inMemory)) as { counts: object };
  expect(await contentOf(inBatches)).toMatchObject({ ...content, counts: { ...counts, imports: 1 } });
});

test('rejects a file that was imported before, even if none of its records has a unique key', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const small = await folder.write('small.json', smallSeed);
  await importFromFile(base.services, small);
  const preRegistration = {
    key: 'p',
    firm: 'north',
    email: 'x@example.net',
    referral_code: 'X',
    created_at: 'now',
  };
  const addition = await folder.write('addition.json', { pre_registrations: [preRegistration] });
  await importFromFile(base.services, addition, { batch: 1 });
  const before = await countRows(base.services);
  for (const batch of [undefined, 2]) {
    const again = (path: string) => importFromFile(base.services, path, { batch });
    await expect(again(small)).rejects.toThrow(
      new SeedError([{ path: 'firms[0]', message: 'north already exists' }]),
    );
    await expect(again(addition)).rejects.toThrow(
      new SeedError([{ path: 'pre_registrations[0]', message: 'x@example.net already exists' }]),
    );
    // The same records in different bytes.
    const spaced = await folder.write('spaced.json', JSON.stringify(smallSeed, null, 1));
    await expect(again(spaced)).rejects.toThrow('firms[0]: north already exists');
  }
  expect(await countRows(base.services)).toEqual(before);
});

test('reports problems anywhere in a file and writes nothing, also with batches', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const before = await countRows(base.services);
  const rejection = async (content: unknown, options: FileImportOptions = {}) => {
    const path = await folder.write('rejected.json', content);
    const error = await importFromFile(base.services, path, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SeedError);
    return (error as SeedError).message;
  };
  const last = smallSeed.tickets.at(-1)!;
  const wrong = (change: object) => ({
    ...backwards,
    tickets: [...smallSeed.tickets.slice(0, -1), { ...last, ...change }],
  });
  for (const batch of [undefined, 1]) {
    expect(await rejection(wrong({ status: 'lost' }), { batch })).toMatch(/^tickets\[2\]\.status: /);
    expect(await rejection(wrong({ trader: 'unknown' }), { batch })).toBe(
      'tickets[2].trader: there is no user "unknown"',
    );
    expect(await rejection(wrong({ key: 'ended' }), { batch })).toBe(
      'tickets[2].key: "ended" is already used by tickets[1].key',
    );
    const [standup] = smallSeed.events;
    expect(
      await rejection(
        { ...smallSeed, events: [{ ...standup, recurrence_rule: 'FREQ=SECONDLY' }] },
        { batch },
      ),
    ).toMatch(/^events\[0\]\.recurrence_rule: /);
  }
  expect(await rejection('{"users":[{"key":"a","key" "b"}]}')).toMatch(
    /^users\[0\]: must be JSON in UTF-8: /,
  );
  expect(await rejection(Buffer.from('{"users":["\xff"]}', 'latin1'))).toMatch(
    /^users\[0\]: must be JSON in UTF-8: /,
  );
  expect(await rejection('{"users":[}')).toBe(
    'Not an import file: at byte 10, expected a record or ], found "}".',
  );
  expect(await rejection('')).toBe('Not an import file: at byte 0, expected an object, but the file ends.');
  expect(await rejection({ users: 1, invoices: [], 'my list': {} })).toBe(
    'users: must be a list\ninvoices: is not a field of an import file\n["my list"]: is not a field of an import file',
  );
  expect(await rejection('{"users":[],"firms":[],"users":[]}')).toBe('users: must not occur twice');
  expect(await rejection({ users: Array(150).fill({}) })).toMatch(/\nand \d+ more$/);
  expect(await countRows(base.services)).toEqual(before);
});

test('rejects a missing file and a folder', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const missing = join(folder.path, 'missing.json');
  await expect(importFromFile(base.services, missing)).rejects.toThrow(`${missing} does not exist`);
  await expect(importFromFile(base.services, folder.path)).rejects.toThrow(
    `${folder.path} is not a regular file`,
  );
});

test('reports progress', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const path = join(folder.path, 'progress.json');
  await writeManyTickets(path, 1_200);
  const seen: ImportProgress[] = [];
  await importFromFile(base.services, path, { onProgress: (progress) => seen.push(progress) });
  const tickets = seen.filter(({ list }) => list === 'tickets');
  expect(tickets.map(({ phase, done, total }) => [phase, done, total])).toEqual([
    ...[500, 1000, 1200].map((done) => ['check', done, 1200]),
    ...[500, 1000, 1200].map((done) => ['write', done, 1200]),
  ]);
  expect(tickets.every(({ perSecond }) => perSecond > 0)).toBe(true);
});

test('continues a killed import with the same ids and the same now', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const path = join(folder.path, 'killed.json');
  await writeManyTickets(path, 1_000);
  const child = spawn(process.execPath, [CHILD, base.databaseUrl, path, '150', '700'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  // Two records before the tickets, then four complete batches. The fifth was not committed, and no token was created.
  expect(await countRows(base.services)).toMatchObject({
    users: 1,
    tickets: 598,
    ticket_messages: 598,
    tokens: 0,
  });

  base.clock.advance(DAY_MS);
  const imported = await importFromFile(base.services, path, { batch: 300 });
  expect(Object.keys(imported.ids.tickets)).toHaveLength(1_000);
  const found = (await rowsOf(base.services, 'select id, subject, created_at from tickets')) as {
    id: string;
    subject: string;
    created_at: string;
  }[];
  expect(found.map(({ id }) => id).sort()).toEqual(Object.values(imported.ids.tickets).sort());
  expect(new Set(found.map(({ subject }) => subject)).size).toBe(1_000);
  expect(new Set(found.map(({ created_at }) => created_at)).size).toBe(1);
  expect(await countRows(base.services)).toMatchObject({
    tickets: 1_000,
    ticket_messages: 1_000,
    tokens: 1,
    import_batches: 0,
  });
  await authenticate(base.services, imported.tokens['token']!, base.clock.now());
  await expect(importFromFile(base.services, path)).rejects.toThrow('firms[0]: many already exists');
});

test('continues after beforeCommit of the last batch failed', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const path = await folder.write('mended.json', smallSeed);
  const failing = importFromFile(base.services, path, {
    batch: 2,
    beforeCommit: () => Promise.reject(new Error('disk full')),
  });
  await expect(failing).rejects.toThrow('disk full');
  const imported = await importFromFile(base.services, path, { batch: 2 });
  await authenticate(base.services, imported.tokens['api']!, base.clock.now());
  expect(imported.reports).toHaveLength(1);
});

test('lets only one of two concurrent imports of a file proceed, new or continued', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const unsaved = await folder.write('unsaved.json', smallSeed);
  const interrupted = join(folder.path, 'interrupted.json');
  await writeManyTickets(interrupted, 40);
  const stopping = importFromFile(base.services, interrupted, {
    batch: 20,
    beforeCommit: () => Promise.reject(new Error('stopped')),
  });
  await expect(stopping).rejects.toThrow('stopped');
  for (const path of [unsaved, interrupted]) {
    const both = [undefined, 1].map((batch) => importFromFile(base.services, path, { batch }));
    const refused = (await Promise.allSettled(both)).filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { name: 'SeedError' } }]);
    // A rejected import leaves its batches for the next one.
    await importFromFile(base.services, path).catch(() => {});
  }
  expect(await countRows(base.services)).toMatchObject({
    tickets: smallSeed.tickets.length + 40,
    tokens: smallSeed.tokens.length + 1,
  });
});
