import { UNSENT_ATTACHMENT_DAYS } from '@firmdesk/contract';
import { eraseAccount } from '@firmdesk/domain';
import { createTicket, type TestUser } from '@firmdesk/testing';
import {
  attachmentCalls,
  createAttachmentFixture,
  createUserWithToken,
  errorCodeOf,
  followTicket,
  isStored,
  PDF,
  PNG,
  pruneKind,
  suiteGateway,
  suspendAndDeleteFirm,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let agent: UserWithToken;
let colleague: UserWithToken;
let trader: TestUser;
let ticket: string;
const { rpc, announce, call, put, upload } = attachmentCalls(gateway, () => ({ agent, ticket }));

beforeEach(async () => {
  ({ agent, colleague, trader, ticket } = await createAttachmentFixture(gateway));
});

describe('a message with files', () => {
  test('is shown to the team live and in the conversation, with files that colleagues can open', async () => {
    const ids = [await upload(), await upload(PDF, 'Auszug „März“.pdf')];
    const { url } = gateway;
    using viewer = await followTicket({ url, token: colleague.token, ticket });
    const reply = await rpc('tickets.reply', { ticket, body: '', attachments: ids });
    const files = [
      { id: ids[0], name: 'payout.png', type: 'image/png', size: PNG.length, deleted: false },
      { id: ids[1], name: 'Auszug „März“.pdf', type: 'application/pdf', size: PDF.length, deleted: false },
    ];
    expect(reply.data).toMatchObject({ body: '', attachments: files });
    const isMessage = ({ data }: { data: { type?: string } }) => data.type === 'message.created';
    await expect
      .poll(() => viewer.events.find(isMessage)?.data, { timeout: 30_000 })
      .toMatchObject({
        message: { attachments: files },
      });
    const page = await gateway.rpc('tickets.messages', { token: colleague.token, body: { ticket } });
    expect((page.data.data ?? page.data)[0].attachments).toEqual(files);

    const image = await call('GET', ids[0]!, colleague);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `inline; filename="payout.png"; filename*=UTF-8''payout.png`,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    const pdf = await call('GET', ids[1]!, colleague);
    expect(pdf.headers.get('content-disposition')).toBe(
      `attachment; filename="Auszug _M_rz_.pdf"; filename*=UTF-8''Auszug%20%E2%80%9EM%C3%A4rz%E2%80%9C.pdf`,
    );
    await pdf.arrayBuffer();
    const etag = image.headers.get('etag')!;
    const again = await call('GET', ids[0]!, colleague, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await call('HEAD', ids[0]!, colleague);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PNG.length)]);
    expect((await call('DELETE', ids[0]!, colleague)).status).toBe(405);
  });

  test('is rejected without text and files, and with a file that is not the caller’s to send', async () => {
    const sent = await upload();
    await rpc('tickets.addNote', { ticket, body: 'See', attachments: [sent] });
    const other = await createTicket(services, { firm: agent.firm, trader });
    const elsewhere = await announce(PNG.length, { ticket: other });
    await put(elsewhere, PNG);
    const foreign = await announce(PNG.length, { by: colleague });
    await put(foreign, PNG, colleague);
    for (const id of [sent, await announce(4), elsewhere, foreign]) {
      const answer = await rpc('tickets.reply', { ticket, body: 'Hello', attachments: [id] });
      expect([answer.code, answer.fields?.[0]?.path]).toEqual(['validation_failed', 'attachments[0]']);
    }
    const empty = await rpc('tickets.reply', { ticket, body: ' ', attachments: [] });
    expect([empty.code, empty.fields?.[0]?.path]).toEqual(['validation_failed', 'body']);
    const many = Array.from({ length: 11 }, (_, n) => `att_${String(n).padStart(26, '0')}`);
    expect((await rpc('tickets.reply', { ticket, body: '', attachments: many })).code).toBe(
      'validation_failed',
    );
  });

  test('that is delayed and undone can be sent again with its files', async () => {
    const id = await upload();
    const delayed = await rpc('tickets.holdReply', { ticket, body: '', attachments: [id] });
    await rpc('tickets.takeBackReply', { ticket, id: delayed.data.id });
    const again = await rpc('tickets.holdReply', { ticket, body: 'Here', attachments: [id] });
    expect(again.code).toBe(null);
    await rpc('tickets.setStatus', { ticket, status: 'resolved' });
    const { data } = await rpc('tickets.messages', { ticket });
    const messages = data.data ?? data;
    expect(messages.find((message: { id: string }) => message.id === again.data.id)).toMatchObject({
      body: 'Here',
      attachments: [{ id }],
    });
  });
});

describe('rights', () => {
  test('are checked at each read: a file of another firm, a missing one and one not sent yet are alike', async () => {
    const sent = await upload();
    await rpc('tickets.reply', { ticket, body: '', attachments: [sent] });
    const stranger = await createUserWithToken(gateway, { permissions: ['view_tickets', 'manage_tickets'] });
    const unsent = await upload();
    const refused = await Promise.all([
      call('GET', sent, stranger),
      call('GET', `att_${'0'.repeat(26)}`, agent),
      call('GET', unsent, colleague),
      call('GET', await announce(4)),
      call('GET', 'x'),
    ]);
    const bodies = await Promise.all(
      refused.map(async (answer) => [answer.status, await errorCodeOf(answer)]),
    );
    expect(bodies).toEqual(bodies.map(() => [404, 'resource_not_found']));
    const named = await call('GET', sent, { ...agent, token: stranger.token });
    expect([named.status, await errorCodeOf(named)]).toEqual([403, 'workspace_not_permitted']);
    const without = await createUserWithToken(gateway, { firm: agent.firm, permissions: [] });
    expect((await call('GET', sent, without)).status).toBe(403);
    expect((await call('GET', sent, { ...agent, token: 'x' })).status).toBe(401);
    expect((await call('GET', unsent)).status).toBe(200);
  });

  test('cover the upload: only the account that announced a file sends it', async () => {
    const id = await announce(PNG.length);
    expect(await errorCodeOf(await put(id, PNG, colleague))).toBe('resource_not_found');
    const reader = await createUserWithToken(gateway, { firm: agent.firm, permissions: ['view_tickets'] });
    expect(await errorCodeOf(await put(id, PNG, reader))).toBe('forbidden');
    expect((await put(id, PNG)).status).toBe(204);
    // A retry whose first answer was lost.
    expect((await put(id, PNG)).status).toBe(204);
    const other = await put(id, Buffer.concat([PNG.subarray(0, -1), Buffer.from('!')]));
    expect([other.status, await errorCodeOf(other)]).toEqual([422, 'validation_failed']);
    expect(Buffer.from(await (await call('GET', id)).arrayBuffer())).toEqual(PNG);
  });
});

describe('contents are deleted', () => {
  /** The keys under which this file's tests have stored contents. */
  let written: MockInstance<typeof services.objects.write>;
  beforeEach(() => {
    written = vi.spyOn(services.objects, 'write');
    return () => written.mockRestore();
  });
  const isKept = (id: string) => {
    const [key] = written.mock.calls.find(([key]) => key.startsWith(`${agent.firm.id}/${id}`))!;
    return isStored(services, key);
  };

  test('when a file is removed, and when no message contains it after seven days', async () => {
    const [removed, unsent, sent] = [await upload(), await upload(), await upload()];
    await rpc('tickets.reply', { ticket, body: '', attachments: [sent] });
    expect((await rpc('attachments.remove', { id: sent })).code).toBe('resource_not_found');
    expect((await rpc('attachments.remove', { id: removed }, colleague)).code).toBe('resource_not_found');
    expect((await rpc('attachments.remove', { id: removed })).code).toBe(null);
    expect((await call('GET', removed)).status).toBe(404);
    gateway.clock.advance((UNSENT_ATTACHMENT_DAYS * 86_400 + 1) * 1_000);
    await pruneKind(services, 'unsent_attachments');
    const answer = await rpc('tickets.reply', { ticket, body: '', attachments: [unsent] });
    expect(answer.code).toBe('validation_failed');
    gateway.clock.advance(61 * 60_000);
    await pruneKind(services, 'deleted_attachments');
    expect(await Promise.all([removed, unsent, sent].map(isKept))).toEqual([false, false, true]);
  });

  test('with the firm', async () => {
    const id = await upload();
    await rpc('tickets.reply', { ticket, body: '', attachments: [id] });
    await suspendAndDeleteFirm(services, agent.firm);
    expect(await isKept(id)).toBe(false);
  });

  test.each<[who: string, erased: () => string]>([
    ['the trader', () => trader.email],
    ['the agent who has uploaded them', () => agent.user.email],
  ])('with the account of %s, while the message remains', async (_who, erased) => {
    const id = await upload(PDF, 'passport.pdf');
    await rpc('tickets.reply', { ticket, body: 'Thank you', attachments: [id] });
    await eraseAccount(services, erased(), { actor: { kind: 'operator', id: 'test' } });
    const { data } = await rpc('tickets.messages', { ticket }, colleague);
    expect(data.data ?? data).toMatchObject([
      { body: 'Thank you', attachments: [{ id, name: 'Deleted file', deleted: true }] },
      { body: 'Where is it?' },
    ]);
    expect((await call('GET', id, colleague)).status).toBe(404);
    // The erasure uses the database's clock.
    gateway.clock.advance(3 * 86_400_000);
    await pruneKind(services, 'deleted_attachments');
    expect(await isKept(id)).toBe(false);
  });
});
