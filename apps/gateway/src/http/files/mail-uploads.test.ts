import {
  attachmentPath,
  MAX_ATTACHMENT_BYTES,
  MAX_UNSENT_ATTACHMENTS,
  UNSENT_ATTACHMENT_DAYS,
} from '@firmdesk/contract';
import { createMailbox, type TestMailbox } from '@firmdesk/testing';
import {
  callAttachment,
  commonCases,
  createMailUser,
  createUserWithToken,
  errorCodeOf,
  isStored,
  PNG,
  pruneKind,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const ANNOUNCE = 'POST /v1/me/mail/attachments';
const gateway = await suiteGateway();
const { services } = gateway;
const TEXT = Buffer.from('date;profit\r\n2026-03-31;12,50 €\r\n');
let author: UserWithToken & { mailbox: TestMailbox };
let colleague: UserWithToken;

beforeEach(async () => {
  author = await createMailUser(gateway);
  colleague = await createUserWithToken(gateway, {
    firm: author.firm,
    role: 'trader',
    scopes: ['mail:write', 'mail:read'],
  });
});

commonCases(gateway, ANNOUNCE, async (actors) => {
  const { id } = await createMailbox(services, { firm: actors.firm, writes: [actors.admin] });
  return { body: { address_id: id, name: 'a.csv', size: 1 } };
});

const announce = (body: object, by = author) =>
  gateway.request(ANNOUNCE, {
    token: by.token,
    body: { address_id: author.mailbox.id, name: 'trades.csv', size: TEXT.length, ...body },
  });
const announced = async (body: object = {}) => (await announce(body)).body.data.id as string;
const put = (id: string, content = TEXT, by: UserWithToken = author) =>
  callAttachment(gateway, 'PUT', id, by, { body: new Uint8Array(content) });
const read = (id: string, by: UserWithToken = author) => callAttachment(gateway, 'GET', id, by);
async function uploaded(content = TEXT, name = 'trades.csv'): Promise<string> {
  const id = await announced({ name, size: content.length });
  expect((await put(id, content)).status).toBe(204);
  return id;
}
/** Saves a draft with files. Returns it as it is read, or the code of the error. */
async function save(
  attachments: string[],
  { draft_id, by = author }: { draft_id?: string; by?: typeof author } = {},
) {
  const { token } = by;
  const body = { address_id: by.mailbox.id, attachments, ...(draft_id && { draft_id }) };
  const answer = await gateway.request('POST /v1/me/mail/drafts', { token, body });
  if (answer.status !== 200) return answer.body.error.code;
  return (await gateway.rpc('mail.get', { token, body: { id: answer.body.data.id } })).data;
}

describe('a file', () => {
  test('is announced, uploaded where the answer says, and read by its author only', async () => {
    const { status, body } = await announce({});
    expect(status).toBe(201);
    const { id } = body.data;
    expect(body.data).toEqual({
      object: 'mail_attachment_upload',
      id: expect.stringMatching(/^matt_/),
      upload_url: services.publicUrl() + attachmentPath(author.firm.slug, id),
    });
    expect(await errorCodeOf(await read(id))).toBe('resource_not_found');
    expect(await errorCodeOf(await put(id, TEXT, colleague))).toBe('resource_not_found');
    expect((await put(id)).status).toBe(204);
    expect((await put(id)).status).toBe(204);
    const answer = await read(id);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'application/octet-stream',
      TEXT.toString(),
    ]);
    expect(await errorCodeOf(await read(id, colleague))).toBe('resource_not_found');
  });

  test.each([
    ['x.exe', 'MZ\x90\x00'],
    ['x.html', '<script>'],
    ['x.svg', '<svg/>'],
    ['photo.jpg', 'no image'],
  ])('can be of any type: %s', async (name, content) => {
    const id = await uploaded(Buffer.from(content), name);
    const answer = await read(id);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(await answer.text()).toBe(content);
  });

  test('is stored as it is: images keep their metadata', async () => {
    const text = Buffer.from('0000000a74455874636f6d6d656e74006869', 'hex');
    const image = Buffer.concat([PNG, Buffer.from('08060000001f15c489', 'hex'), text, Buffer.alloc(4)]);
    const answer = await read(await uploaded(image, 'photo.png'));
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await answer.arrayBuffer()).equals(image)).toBe(true);
  });

  test('must have the announced size, of at most 25 MB, and a name', async () => {
    for (const body of [
      { size: 0 },
      { size: MAX_ATTACHMENT_BYTES + 1 },
      { name: ' ' },
      { name: 'x'.repeat(256) },
    ])
      expect((await announce(body)).body.error.code).toBe('validation_failed');
    expect(await errorCodeOf(await put(await announced({ size: 3 })))).toBe('validation_failed');
  });

  test('needs a mailbox that the account may write from', async () => {
    const shared = await createMailbox(services, { firm: author.firm, reads: [author.user] });
    for (const address_id of [shared.id, 0, 2 ** 40])
      expect((await announce({ address_id })).body.error.code).toBe('resource_not_found');
    expect((await announce({}, { ...colleague, mailbox: author.mailbox })).body.error.code).toBe(
      'resource_not_found',
    );
  });

  test('needs the scope mail:write', async () => {
    const id = await announced();
    const { token } = await createUserWithToken(gateway, {
      firm: author.firm,
      scopes: ['mail:read', 'admin:write'],
    });
    expect(await errorCodeOf(await put(id, TEXT, { ...author, token }))).toBe('insufficient_scope');
  });

  test('counts towards the limit of files that no message contains', async () => {
    for (let i = 0; i < MAX_UNSENT_ATTACHMENTS; i++) await announced();
    expect((await announce({})).body.error.code).toBe('attachment_limit_reached');
  });

  test('is deleted with its content when it was not sent for a week', async () => {
    const [unsent, attached] = [await uploaded(), await uploaded()];
    await save([attached]);
    const { rows } = await services.pool.query(
      'select id, content from attachments where workspace_id = $1 and id = any($2)',
      [author.firm.id, [unsent, attached]],
    );
    const keyOf = (id: string) => `${author.firm.id}/${id}-${rows.find((row) => row.id === id).content}`;
    gateway.clock.advance((UNSENT_ATTACHMENT_DAYS * 24 + 1) * 3_600_000);
    await pruneKind(services, 'unsent_attachments');
    gateway.clock.advance(2 * 3_600_000);
    await pruneKind(services, 'deleted_attachments');
    expect(await Promise.all([unsent, attached].map((id) => isStored(services, keyOf(id))))).toEqual([
      false,
      true,
    ]);
  });
});

describe('the files of a draft', () => {
  const file = { name: 'trades.csv', type: 'application/octet-stream', size: TEXT.length };
  const about = { deleted: false };

  test('are in the order of their ids, and the readers of its mailbox read them', async () => {
    const mailbox = await createMailbox(services, {
      firm: author.firm,
      writes: [author.user],
      reads: [colleague.user],
    });
    const [csv, image] = [await uploaded(), await uploaded(PNG, 'photo.png')];
    const draft = await save([image, csv], { by: { ...author, mailbox } });
    expect(draft.attachments).toEqual([
      { id: image, name: 'photo.png', type: 'image/png', size: PNG.length, content_id: image, ...about },
      { id: csv, ...file, content_id: csv, ...about },
    ]);
    expect(await (await read(csv, colleague)).text()).toBe(TEXT.toString());
  });

  test('are replaced by a save: one that is left out can be attached to another message', async () => {
    const [one, two] = [await uploaded(), await uploaded()];
    const { id: draft_id } = await save([one, two]);
    expect((await save([one, two], { draft_id })).attachments).toHaveLength(2);
    expect((await save([two], { draft_id })).attachments).toEqual([
      { id: two, ...file, content_id: two, ...about },
    ]);
    expect((await save([one])).attachments).toEqual([{ id: one, ...file, content_id: one, ...about }]);
    expect((await save([], { draft_id })).attachments).toEqual([]);
  });

  test('stay when a colleague saves the draft of a shared mailbox', async () => {
    const mailbox = await createMailbox(services, {
      firm: author.firm,
      writes: [author.user, colleague.user],
    });
    const mine = await uploaded();
    const { id: draft_id } = await save([mine], { by: { ...author, mailbox } });
    const by = { ...colleague, mailbox };
    expect((await save([mine], { draft_id, by })).attachments).toMatchObject([{ id: mine }]);
  });

  test('must be uploaded by the caller, be part of no other message, and have at most 25 MB in all', async () => {
    const taken = await uploaded();
    await save([taken]);
    expect(await save([taken])).toBe('validation_failed');
    expect(await save([await announced()])).toBe('validation_failed');
    const mailbox = await createMailbox(services, { firm: author.firm, writes: [colleague.user] });
    expect(await save([await uploaded()], { by: { ...colleague, mailbox } })).toBe('resource_not_found');
    expect(await save(['matt_00000000000000000000000000'])).toBe('resource_not_found');
    const large = await Promise.all([1, 2].map(() => uploaded(Buffer.alloc(13 * 1024 * 1024))));
    expect(await save(large)).toBe('validation_failed');
    expect((await save(large.slice(1))).attachments).toHaveLength(1);
  });

  test('are deleted with it', async () => {
    const { token } = author;
    const kept = await uploaded();
    const drafts = [await save([kept]), await save([await uploaded()])];
    await gateway.rpc('mail.deleteDraft', { token, body: { id: drafts[0].id } });
    for (let i = 0; i < 2; i++)
      await gateway.request('POST /v1/me/mail/messages/delete', { token, body: { ids: [drafts[1].id] } });
    for (const { attachments } of drafts)
      expect(await errorCodeOf(await read(attachments[0].id))).toBe('resource_not_found');
    expect(await save([kept])).toBe('resource_not_found');
  });
});
