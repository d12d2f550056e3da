import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { commandScanner, readScanCommand, startWorkers } from '@firmdesk/domain';
import {
  attachmentCalls,
  callAttachment,
  createAttachmentFixture,
  createMailUser,
  createUserWithToken,
  errorCodeOf,
  followTicket,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
const WAIT = { timeout: 60_000 };
let agent: UserWithToken;
let colleague: UserWithToken;
let ticket: string;
let worker: Awaited<ReturnType<typeof startWorkers>>;
const { rpc, announce, call, put, upload } = attachmentCalls(gateway, () => ({ agent, ticket }));

const folder = mkdtempSync(join(tmpdir(), 'scan-test-'));
const script = join(folder, 'scan.cjs');
/** Decides by the content: exit code 1 for malware, 2 for what it cannot scan. */
writeFileSync(
  script,
  `const text = require('fs').readFileSync(process.argv[2] ?? 0, 'latin1');
   process.exit(text.includes('EICAR') ? 1 : text.includes('broken') ? 2 : 0);`,
);
const BY_INPUT = `${process.execPath} ${script}`;
const BY_PATH = `${BY_INPUT} {file}`;
const CLEAN = Buffer.from('a clean file');
const INFECTED = Buffer.from('EICAR test file');

beforeAll(async () => {
  worker = await startWorkers(services);
});
afterAll(async () => {
  await worker.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  services.scanner = commandScanner(BY_PATH);
  ({ agent, colleague, ticket } = await createAttachmentFixture(gateway));
});

const filesOf = async () => {
  const { data } = await rpc('tickets.messages', { ticket }, colleague);
  return (data.data ?? data)[0].attachments;
};
const scanOf = async (id: string) => {
  const { rows } = await services.pool.query(
    'select scan from attachments where workspace_id = $1 and id = $2',
    [agent.firm.id, id],
  );
  return rows[0].scan;
};
const sendFiles = (...ids: string[]) => rpc('tickets.reply', { ticket, body: '', attachments: ids });

describe('a file of a ticket', () => {
  test('is read only after its scan, which viewers see without a reload', async () => {
    let release = () => {};
    const scanner = services.scanner!;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    services.scanner = {
      async scan(content) {
        await released;
        return scanner.scan(content);
      },
    };
    const clean = await upload(CLEAN, 'clean.csv');
    const infected = await upload(INFECTED, 'infected.csv');
    using viewer = await followTicket({ url: gateway.url, token: colleague.token, ticket });
    await sendFiles(clean, infected);
    expect((await filesOf()).map(({ scan }: { scan: string }) => scan)).toEqual(['waiting', 'waiting']);
    for (const id of [clean, infected])
      for (const method of ['GET', 'HEAD']) expect((await call(method, id, colleague)).status).toBe(404);
    expect(await errorCodeOf(await call('GET', `${clean}?size=small`))).toBe('resource_not_found');

    release();
    const states = () =>
      viewer.events
        .flatMap(({ data }) => ('message' in data ? [data.message.attachments.map(({ scan }) => scan)] : []))
        .at(-1);
    await expect.poll(states, WAIT).toEqual(['clean', 'infected']);
    expect((await filesOf()).map(({ scan }: { scan: string }) => scan)).toEqual(['clean', 'infected']);
    expect(await (await call('GET', clean, colleague)).text()).toBe(CLEAN.toString());
    const answer = await call('GET', infected, colleague, { headers: { 'if-none-match': `"${infected}"` } });
    expect([answer.status, await errorCodeOf(answer)]).toEqual([404, 'resource_not_found']);
  });

  test('that is infected cannot be sent', async () => {
    const id = await upload(INFECTED);
    await expect.poll(() => scanOf(id), WAIT).toBe('infected');
    const answer = await sendFiles(id);
    expect([answer.code, answer.fields?.[0]?.path]).toEqual(['validation_failed', 'attachments[0]']);
  });

  test('is scanned also while its message can be taken back', async () => {
    const id = await upload(CLEAN);
    await rpc('tickets.holdReply', { ticket, body: 'Here', attachments: [id] });
    await expect.poll(() => scanOf(id), WAIT).toBe('clean');
    await rpc('tickets.setStatus', { ticket, status: 'resolved' });
    expect(await filesOf()).toMatchObject([{ id, scan: 'clean' }]);
  });

  test('that cannot be scanned waits, and is scanned again', async () => {
    const id = await upload(Buffer.from('a broken file'));
    const failures = () => gateway.log.lines.filter(({ message }) => message.includes('attachments.scan'));
    await expect.poll(() => failures().length, WAIT).toBeGreaterThan(0);
    expect([await scanOf(id), (await call('GET', id)).status]).toEqual(['waiting', 404]);
    services.scanner = commandScanner('true');
    await expect.poll(() => scanOf(id), WAIT).toBe('clean');
    expect((await call('GET', id)).status).toBe(200);
    gateway.log.lines.splice(0);
  });

  test('is not scanned without a scanner', async () => {
    services.scanner = null;
    const id = await upload(INFECTED);
    await sendFiles(id);
    expect([await scanOf(id), (await call('GET', id)).status]).toEqual([null, 200]);
    expect(await filesOf()).toEqual([expect.not.objectContaining({ scan: expect.anything() })]);
  });

  test('that was removed meanwhile is not scanned', async () => {
    services.scanner = { scan: () => new Promise(() => {}) };
    const id = await announce(CLEAN.length);
    await put(id, CLEAN);
    await rpc('attachments.remove', { id });
    expect((await call('GET', id)).status).toBe(404);
    services.scanner = null;
  });
});

describe('a file of mail', () => {
  const RAW = [
    'From: Sam <sam@elsewhere.example>',
    'Subject: Statement',
    'Message-ID: <scan@elsewhere.example>',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...['clean file', 'EICAR file'].flatMap((text, n) => [
      '--b',
      'Content-Type: text/csv',
      `Content-Disposition: attachment; filename=${n}.csv`,
      '',
      text,
    ]),
    '--b--',
    '',
  ].join('\r\n');

  test('that is received is read only after its scan', async () => {
    const reader = await createMailUser(gateway);
    const { data } = await gateway.rpc('mail.deliver', {
      token: (await createUserWithToken(gateway, { firm: reader.firm })).token,
      body: { mailbox: reader.mailbox.email, folder: 'inbox', raw: Buffer.from(RAW).toString('base64') },
    });
    const open = async () =>
      (await gateway.rpc('mail.get', { token: reader.token, body: { id: data.id } })).data.attachments;
    await expect
      .poll(async () => (await open()).map(({ scan }: { scan: string }) => scan), WAIT)
      .toEqual(['clean', 'infected']);
    const statuses = await Promise.all(
      (await open()).map(
        async ({ id }: { id: string }) => (await callAttachment(gateway, 'GET', id, reader)).status,
      ),
    );
    expect(statuses).toEqual([200, 404]);
  });

  test('is not sent if it turns out to be infected', async () => {
    let release = () => {};
    const scanner = services.scanner!;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    services.scanner = { scan: (content) => released.then(() => scanner.scan(content)) };
    const { token, mailbox, firm } = await createMailUser(gateway);
    const { body } = await gateway.request('POST /v1/me/mail/attachments', {
      token,
      body: { address_id: mailbox.id, name: 'a.csv', size: INFECTED.length },
    });
    const { id } = body.data;
    await callAttachment(gateway, 'PUT', id, { token, firm }, { body: new Uint8Array(INFECTED) });
    const sent = await gateway.request('POST /v1/me/mail/messages', {
      token,
      body: { address_id: mailbox.id, to: [mailbox.email], subject: 'Numbers', attachments: [id] },
    });
    expect(sent.status).toBe(201);
    release();
    const delivery = async () =>
      (await gateway.rpc('mail.get', { token, body: { id: sent.body.data.id } })).data.delivery.recipients;
    await expect
      .poll(delivery, WAIT)
      .toMatchObject([{ state: 'failed', detail: 'A file of the message contains malware.' }]);
    gateway.log.lines.splice(0);
  });
});

describe('a scanner', () => {
  const scan = (command: string, content = CLEAN, timeoutMs?: number) =>
    commandScanner(command, timeoutMs).scan(Readable.from([content]));

  test.each([BY_INPUT, BY_PATH, `env ${BY_INPUT}`])('answers by its exit code: %s', async (command) => {
    expect(await scan(command)).toBe('clean');
    expect(await scan(command, INFECTED)).toBe('infected');
    await expect(scan(command, Buffer.from('broken'))).rejects.toThrow('the scanner failed');
  });

  test('may decide before it has read a large content', async () => {
    const large = Buffer.alloc(5_000_000);
    expect(await scan('true', large)).toBe('clean');
    expect(await scan('false', large)).toBe('infected');
  });

  test('that does not exist, does not end, or prints without end has failed', async () => {
    await expect(scan('/nowhere/scanner')).rejects.toThrow('the scanner failed');
    await expect(scan('sleep 600', CLEAN, 300)).rejects.toThrow('the scanner failed');
    await expect(scan('yes')).rejects.toThrow('the scanner failed');
  });

  test('gets no content that the store has only in part', async () => {
    async function* broken() {
      yield CLEAN;
      throw new Error('the store has failed');
    }
    for (const command of [BY_INPUT, BY_PATH])
      await expect(commandScanner(command).scan(Readable.from(broken()))).rejects.toThrow();
  });

  test('runs without a shell, and leaves no copy', async () => {
    const mark = join(folder, 'mark');
    expect(await scan(`echo $(touch ${mark}) ; touch ${mark} {file}`)).toBe('clean');
    expect(readdirSync(folder)).toEqual(['scan.cjs']);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('firmdesk-scan-'))).toEqual([]);
    expect(() => readScanCommand(' ')).toThrow('must be a program');
  });
});
