import { deliverMail, type Services, withTransaction } from '@firmdesk/domain';
import { createMailbox, createUser, createWorkspace } from '@firmdesk/testing';
import { suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { suiteCommands } from '../testing/suite-commands.ts';

const gateway = await suiteGateway();
const services: Services = gateway.services;
const { ops, result } = await suiteCommands(gateway);

test('adds, lists and removes further addresses of a mailbox', async () => {
  const firm = await createWorkspace(services);
  const reader = await createUser(services, { firm });
  const mailbox = await createMailbox(services, { firm, reads: [reader] });
  const other = await createMailbox(services, { firm, reads: [reader] });
  const address = `Sales-${mailbox.email}`;
  const alias = (command: string, ...args: string[]) => ops('mailbox-alias', command, ...args);
  const list = () => result('mailbox-alias', 'list', '--mailbox', mailbox.email);
  const deliver = () =>
    deliverMail(services, {
      raw: Buffer.from('From: ann@elsewhere.example\r\nSubject: Hi\r\n\r\nHi'),
      mailbox: address,
      folder: 'inbox',
    });

  expect(await list()).toEqual([]);
  // Adding it again changes nothing.
  for (let n = 0; n < 2; n++)
    expect(await alias('add', '--mailbox', mailbox.email, '--address', address)).toMatchObject({ code: 0 });
  expect(await list()).toEqual([address.toLowerCase()]);
  expect((await deliver()).address_id).toBe(mailbox.id);

  const refused = [
    [await alias('add', '--mailbox', other.email, '--address', address), 'the address of another mailbox'],
    [await alias('add', '--mailbox', other.email, '--address', mailbox.email), 'the address of another'],
    [await alias('add', '--mailbox', 'nobody@x.example', '--address', 'a@x.example'), 'no mailbox nobody@'],
    [await alias('add', '--mailbox', other.email, '--address', 'no address'), 'must be an email address'],
    [await alias('remove', '--address', mailbox.email), 'is no alias of a mailbox'],
    [await alias('remove', '--address', 'nobody@x.example'), 'is no alias of a mailbox'],
  ] as const;
  for (const [{ code, stderr }, reason] of refused) {
    expect(stderr).toContain(reason);
    expect(code).toBe(1);
  }

  expect(await alias('remove', '--address', address)).toMatchObject({ code: 0 });
  expect(await list()).toEqual([]);
  await expect(deliver()).rejects.toThrow('There is no mailbox');
  const audited = await withTransaction(services, ({ db }) =>
    db
      .selectFrom('audit_events')
      .select('action')
      .where('workspace_id', '=', firm.id)
      .where('action', 'like', 'mailbox.%')
      .orderBy('created_at')
      .execute(),
  );
  expect(audited.map(({ action }) => action)).toEqual(['mailbox.alias_added', 'mailbox.alias_removed']);
});
