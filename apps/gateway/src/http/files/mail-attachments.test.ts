import { readFile } from 'node:fs/promises';
import {
  attachmentPath,
  MAX_ATTACHMENT_BYTES,
  MAX_MAIL_ATTACHMENTS,
  type OpenMailMessage,
  UNSENT_ATTACHMENT_DAYS,
} from '@firmdesk/contract';
import { eraseAccount, folderStore } from '@firmdesk/domain';
import { createMailbox, createUser, type TestMailbox } from '@firmdesk/testing';
import {
  callAttachment,
  createUserWithToken,
  isStored,
  pruneKind,
  suiteGateway,
  suspendAndDeleteFirm,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
const STATEMENT = await readFile(
  new URL('../../../../../packages/domain/src/mail/corpus/attachments.eml', import.meta.url),
);
const operator = { actor: { kind: 'operator', id: 'test' } } as const;
let reader: UserWithToken;
let mailbox: TestMailbox;

beforeEach(async () => {
  reader = await createUserWithToken(gateway);
  mailbox = await createMailbox(services, { firm: reader.firm, reads: [reader.user] });
});

const deliver = (raw: Buffer, folder = 'inbox') =>
  gateway.rpc('mail.deliver', {
    token: reader.token,
    body: { mailbox: mailbox.email, folder, raw: raw.toString('base64') },
  });

async function open(id: string): Promise<OpenMailMessage> {
  return (await gateway.rpc('mail.get', { token: reader.token, body: { id } })).data;
}

/** Delivers the statement with five files. */
async function deliverStatement(): Promise<OpenMailMessage> {
  const { data, code } = await deliver(STATEMENT);
  expect(code).toBe(null);
  return open(data.id);
}

const read = (id: string, by = reader, init: RequestInit = {}) =>
  callAttachment(gateway, 'GET', id, by, init);
const isKept = (id: string) => isStored(services, `${reader.firm.id}/${id}`);

/** Returns a message with files. */
function mailWith(files: readonly { name: string; content: Buffer }[], id: string): Buffer {
  const parts = files.flatMap(({ name, content }) => [
    `--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="${name}"\r\n`,
    'Content-Transfer-Encoding: binary\r\n\r\n',
    content,
    '\r\n',
  ]);
  const head = `From: ann@elsewhere.example\r\nMessage-ID: <${id}@elsewhere.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n`;
  return Buffer.concat([head, ...parts, '--b--\r\n'].map((part) => Buffer.from(part as string)));
}

describe('a delivered message with files', () => {
  test('lists them, and their readers open them with the types that their contents have', async () => {
    const message = await deliverStatement();
    const { attachments, left_out } = message;
    const file = { id: expect.stringMatching(/^matt_/), deleted: false, content_id: null };
    expect(attachments).toEqual([
      {
        ...file,
        name: 'balance.png',
        type: 'image/png',
        size: 106,
        content_id: 'balance+1@elsewhere.example',
      },
      { ...file, name: 'Auszug März 2025 €.pdf', type: 'application/pdf', size: 199 },
      { ...file, name: 'trades.csv', type: 'application/octet-stream', size: 35 },
      { ...file, name: 'Grüße.png', type: 'image/png', size: 490 },
      // Its method PUBLISH changes no calendar.
      { ...file, name: 'call.ics', type: 'application/octet-stream', size: 179 },
    ]);
    expect(left_out).toEqual([{ reason: 'empty', count: 1, names: ['empty.pdf'] }]);

    const [image, pdf, csv] = await Promise.all(attachments.slice(0, 3).map(({ id }) => read(id)));
    expect(Object.fromEntries(image!.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '106',
      'content-disposition': `inline; filename="balance.png"; filename*=UTF-8''balance.png`,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect((await image!.arrayBuffer()).byteLength).toBe(106);
    expect(pdf!.headers.get('content-disposition')).toMatch(
      /^attachment; .*Auszug%20M%C3%A4rz%202025%20%E2%82%AC\.pdf$/,
    );
    await pdf!.arrayBuffer();
    // Nothing that a browser could run: not even text is shown.
    expect([csv!.headers.get('content-type'), csv!.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      `attachment; filename="trades.csv"; filename*=UTF-8''trades.csv`,
    ]);
    expect(await csv!.text()).toBe('date;profit\r\n2025-03-31;12,50 €\r\n');
    const etag = image!.headers.get('etag')!;
    const cached = await read(attachments[0]!.id, reader, { headers: { 'if-none-match': etag } });
    expect(cached.status).toBe(304);
  });

  test('is stored once, however often it is delivered', async () => {
    const first = await deliverStatement();
    const again = await deliver(STATEMENT);
    expect(again.data).toMatchObject({ status: 'already_delivered', id: first.id });
    const { rows } = await services.pool.query('select part_of from attachments where workspace_id = $1', [
      reader.firm.id,
    ]);
    expect(rows).toEqual(first.attachments.map(() => ({ part_of: first.id })));
    // What unsent files go through does not touch those of mail.
    gateway.clock.advance((UNSENT_ATTACHMENT_DAYS * 86_400 + 1) * 1_000);
    await pruneKind(services, 'unsent_attachments');
    expect((await read(first.attachments[0]!.id)).status).toBe(200);
  });

  test('gives them to the readers of its mailbox only, and to no ticket', async () => {
    const { attachments } = await deliverStatement();
    const { id } = attachments[0]!;
    const permissions = ['view_tickets', 'manage_tickets'] as const;
    const colleague = await createUserWithToken(gateway, {
      firm: reader.firm,
      permissions: [...permissions],
    });
    const stranger = await createUserWithToken(gateway, { permissions: [...permissions] });
    for (const caller of [colleague, stranger, { ...stranger, firm: reader.firm }])
      expect((await read(id, caller)).status).toBe(404);
    const unscoped = await createUserWithToken(gateway, { firm: reader.firm, scopes: ['admin:read'] });
    expect((await read(id, unscoped)).status).toBe(403);
    expect((await fetch(`${gateway.url}${attachmentPath(reader.firm.slug, id)}`)).status).toBe(401);
    expect((await read(id, colleague, { method: 'PUT', body: 'x' })).status).toBe(404);
    await services.pool.query('delete from mailbox_members where workspace_id = $1 and user_id = $2', [
      reader.firm.id,
      reader.user.id,
    ]);
    expect((await read(id)).status).toBe(404);
  });
});

describe('a message is delivered', () => {
  test('without files that are too large, and without those beyond the 50th', async () => {
    const [most, tooLarge] = [MAX_ATTACHMENT_BYTES, MAX_ATTACHMENT_BYTES + 1].map((size) => {
      const content = Buffer.alloc(size, 'a');
      content.write('%PDF-1.7\n');
      return content;
    });
    const large = await deliver(mailWith([{ name: 'scan.pdf', content: tooLarge! }], 'large'));
    const leftOut = [{ reason: 'too_large', count: 1, names: ['scan.pdf'] }];
    expect(large.data).toMatchObject({ status: 'delivered', left_out: leftOut });
    expect(await open(large.data.id)).toMatchObject({ attachments: [], left_out: leftOut });
    const full = await deliver(mailWith([{ name: 'scan.pdf', content: most! }], 'full'));
    expect((await open(full.data.id)).attachments).toMatchObject([{ size: MAX_ATTACHMENT_BYTES }]);

    const many = Array.from({ length: MAX_MAIL_ATTACHMENTS + 12 }, (_, n) => ({
      name: `${n}.pdf`,
      content: Buffer.from('%PDF-1.7\n'),
    }));
    const { data } = await deliver(mailWith(many, 'many'));
    const message = await open(data.id);
    expect(message.attachments.map(({ name }) => name)).toEqual(
      many.slice(0, MAX_MAIL_ATTACHMENTS).map(({ name }) => name),
    );
    const names = many.slice(MAX_MAIL_ATTACHMENTS, MAX_MAIL_ATTACHMENTS + 10).map(({ name }) => name);
    expect(message.left_out).toEqual([{ reason: 'too_many', count: 12, names }]);
  });

  test('later, if the store cannot be reached: the delivery fails, and its retry stores the files', async () => {
    const { objects } = services;
    services.objects = folderStore('/dev/null');
    const failed = await deliver(STATEMENT);
    services.objects = objects;
    expect(failed.code).toBe('unavailable');
    expect(gateway.log.lines.splice(0).filter(({ level }) => level === 'error')).toMatchObject([
      {
        message: 'call failed',
        fields: { procedure: 'mail.deliver', err: { message: expect.stringContaining('ENOTDIR') } },
      },
    ]);
    const { attachments } = await deliverStatement();
    for (const { id } of attachments) expect(await isKept(id)).toBe(true);
    const { rows } = await services.pool.query(
      'select id from attachments where workspace_id = $1 and part_of is null',
      [reader.firm.id],
    );
    expect(rows).toHaveLength(attachments.length);
    gateway.clock.advance((UNSENT_ATTACHMENT_DAYS * 86_400 + 1) * 1_000);
    await pruneKind(services, 'unsent_attachments');
    gateway.clock.advance(61 * 60_000);
    await pruneKind(services, 'deleted_attachments');
    const left = await services.pool.query('select id from attachments where workspace_id = $1', [
      reader.firm.id,
    ]);
    expect(left.rows).toHaveLength(attachments.length);
  });
});

describe('the files of a message are deleted', () => {
  test('with the firm', async () => {
    const { attachments } = await deliverStatement();
    await suspendAndDeleteFirm(services, reader.firm);
    for (const { id } of attachments) expect(await isKept(id)).toBe(false);
  });

  test('with the account of its sender, while the message remains', async () => {
    const trader = await createUser(services, { firm: reader.firm, role: 'trader' });
    const { id, attachments } = await deliverStatement();
    await services.pool.query(
      'update mail_messages set from_email = upper($3) where workspace_id = $1 and id = $2',
      [reader.firm.id, id, trader.email],
    );
    await eraseAccount(services, trader.email, operator);
    const message = await open(id);
    expect(message.subject).toBe('Statement for March');
    expect(message.attachments.map(({ name, deleted }) => [name, deleted])).toEqual(
      attachments.map(() => ['Deleted file', true]),
    );
    expect((await read(attachments[0]!.id)).status).toBe(404);
    // The erasure uses the database's clock.
    gateway.clock.advance(3 * 86_400_000);
    await pruneKind(services, 'deleted_attachments');
    for (const each of attachments) expect(await isKept(each.id)).toBe(false);
  });
});
