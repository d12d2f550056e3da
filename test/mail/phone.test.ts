/** What a mail app does in a day, by `/v1` alone. Two firms of one installation: their mail needs no mail server. */
import { randomBytes } from 'node:crypto';
import { createMailbox, createUser, createWorkspace, openTestServices, unique } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { startGateway, stop, temporaryFolder } from '../started-gateway.ts';
import { Phone } from './phone.ts';

const PASSWORD = 'correct horse battery';
const SOON = { timeout: 60_000 };

test('a mail app lives on /v1', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  await using files = await temporaryFolder();
  const gateway = startGateway({ DATABASE_URL: base.databaseUrl, DATA_DIR: files.path, DEMO: '0' });
  try {
    const url = await gateway.listening;
    const open = async () => {
      const firm = await createWorkspace(base.services);
      const user = await createUser(base.services, { firm, password: PASSWORD });
      const { email } = await createMailbox(base.services, { firm, writes: [user] });
      const phone = new Phone(url);
      await phone.signIn(user.email, PASSWORD);
      return { firm, email, phone };
    };
    const [ann, bob] = [await open(), await open()];

    // A draft with a file, which becomes the message, is taken back, and is sent.
    const content = randomBytes(100_000);
    const file = await ann.phone.upload('numbers.bin', content);
    const word = unique('numbers').replaceAll('-', '');
    const message = {
      address_id: ann.phone.address,
      to: [bob.email],
      subject: `The ${word}`,
      body: '<p>See the <b>file</b></p>',
      attachments: [file],
    };
    const draft = await ann.phone.call('POST /v1/me/mail/drafts', message);
    const sent = await ann.phone.send({ ...message, draft_id: draft.id });
    expect(sent).toMatchObject({ id: draft.id, folder: 'sent', delivery: { state: 'queued' } });
    const back = await ann.phone.call(`DELETE /v1/me/mail/messages/${sent.id}/sending`);
    expect(back).toMatchObject({ id: draft.id, folder: 'drafts', thread_id: draft.thread_id });
    await ann.phone.send({ ...message, draft_id: draft.id });
    await expect.poll(async () => (await bob.phone.list()).length, SOON).toBe(1);
    expect((await ann.phone.open(draft.id)).delivery).toMatchObject({ state: 'delivered_locally' });
    await expect(ann.phone.call(`DELETE /v1/me/mail/messages/${sent.id}/sending`)).rejects.toThrow(
      'already_sent',
    );

    // Bob reads it with its file, marks it, and answers.
    const [row] = await bob.phone.list();
    const read = await bob.phone.open(row!.id);
    expect(read).toMatchObject({
      subject: message.subject,
      body: message.body,
      attachments: [{ name: 'numbers.bin', size: content.length }],
    });
    const downloaded = await bob.phone.download(bob.firm.slug, read.attachments[0]!.id);
    expect(downloaded.equals(content)).toBe(true);
    const unread = async () => (await bob.phone.call('GET /v1/me/mail/mailboxes'))[0].unread;
    expect(await unread()).toBe(1);
    await bob.phone.call('POST /v1/me/mail/messages/mark', { ids: [row!.id], is_read: true });
    expect(await unread()).toBe(0);
    expect(await bob.phone.list('unread=true')).toEqual([]);
    const reply = `Re: ${message.subject}`;
    await bob.phone.send({ to: [ann.email], subject: reply, in_reply_to: row!.id, body: 'Thanks' });
    await expect.poll(async () => (await ann.phone.list()).length, SOON).toBe(1);
    expect((await ann.phone.list())[0]).toMatchObject({ subject: reply, thread_id: draft.thread_id });

    // Both find it in all folders. It goes to the archive and the trash, and is deleted for good.
    const found = async ({ phone }: typeof bob) =>
      (await phone.list(`q=${word}`)).map(({ folder }) => folder);
    expect(await found(bob)).toEqual(['sent', 'inbox']);
    expect(await found(ann)).toEqual(['inbox', 'sent']);
    const ids = [row!.id];
    await bob.phone.call('POST /v1/me/mail/messages/move', { ids, folder: 'archive' });
    expect((await bob.phone.list('folder=archive')).map(({ id }) => id)).toEqual(ids);
    await bob.phone.call('POST /v1/me/mail/messages/delete', { ids });
    await bob.phone.call(`POST /v1/me/mail/messages/${row!.id}/restore`, {});
    expect((await bob.phone.list('folder=archive')).map(({ id }) => id)).toEqual(ids);
    for (let n = 0; n < 2; n++) await bob.phone.call('POST /v1/me/mail/messages/delete', { ids });
    await expect(bob.phone.open(row!.id)).rejects.toThrow('resource_not_found');

    // A later message, and what another firm cannot see.
    const later = await ann.phone.call('POST /v1/me/mail/messages', {
      ...{ address_id: ann.phone.address, to: [bob.email], subject: 'Later' },
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect((await ann.phone.open(later.id)).delivery).toMatchObject({ state: 'queued' });
    await expect(bob.phone.open(later.id)).rejects.toThrow('404');
  } finally {
    await stop(gateway);
  }
});
