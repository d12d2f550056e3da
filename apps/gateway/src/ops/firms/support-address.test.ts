import { deliverMail, type Services } from '@firmdesk/domain';
import { createUser, createWorkspace, unique } from '@firmdesk/testing';
import { suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { suiteCommands } from '../testing/suite-commands.ts';

const gateway = await suiteGateway();
const services: Services = gateway.services;
const { ops, result } = await suiteCommands(gateway);

test('adds, lists and removes the addresses to which mail opens tickets', async () => {
  const firm = await createWorkspace(services);
  const other = await createWorkspace(services);
  const reader = await createUser(services, { firm });
  const trader = await createUser(services, { firm, role: 'trader' });
  const email = `${unique('support')}@desk.example`;
  const address = (command: string, ...args: string[]) => ops('support-address', command, ...args);
  const list = () => result('support-address', 'list', '--firm', firm.slug);

  expect(await list()).toEqual([]);
  // Adding it again changes its settings.
  const add = ['--firm', firm.slug, '--email', email];
  expect(await address('add', ...add)).toMatchObject({ code: 0 });
  expect(await address('add', ...add, '--anyone', '--reader', reader.email)).toMatchObject({ code: 0 });
  expect(await list()).toEqual([{ email, senders: 'anyone', readers: 1 }]);

  await deliverMail(services, {
    raw: Buffer.from(`From: ${trader.email}\r\nSubject: Where is it?\r\n\r\nHi`),
    mailbox: email,
    folder: 'inbox',
  });
  const { rows } = await services.pool.query('select subject from tickets where workspace_id = $1', [
    firm.id,
  ]);
  expect(rows).toEqual([{ subject: 'Where is it?' }]);

  const refused = [
    [await address('add', '--firm', other.slug, '--email', email), 'the address of another firm'],
    [await address('add', '--firm', firm.slug, '--email', 'none'), 'must be an email address'],
    [await address('add', '--firm', 'nowhere', '--email', email), 'nowhere'],
    [await address('add', ...add, '--reader', 'nobody@x.example'), 'no account nobody@x.example'],
    [await address('remove', '--firm', other.slug, '--email', email), 'is no support address'],
  ] as const;
  for (const [{ code, stderr }, reason] of refused)
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
  expect(await address('add', '--firm', firm.slug)).toMatchObject({ code: 2 });

  expect(await address('remove', ...add)).toMatchObject({ code: 0 });
  expect(await list()).toEqual([]);
});
