import { createUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { writeFirmDeletion } from './firm-deletion-mails.ts';

const gateway = await suiteGateway();
const { services } = gateway;

test('the mail of a deletion says who asked, when it is due, and where in this firm it can be cancelled', async () => {
  const { firm, user } = await createUserWithToken(gateway, { permissions: ['manage_settings'] });
  const asker = await createUser(services, { firm, name: 'Ada Able' });
  const write = async (isCancelled: boolean) => {
    const mail = await writeFirmDeletion(services, firm.id, {
      userId: user.id,
      content: { due_at: '2026-12-05T05:31:00.000Z', is_cancelled: isCancelled, asked_by: asker.id },
    });
    return 'message' in mail ? mail.message : mail;
  };
  expect(await write(false)).toMatchObject({
    to: { address: user.email },
    subject: expect.stringContaining('2026-12-05 05:31 UTC'),
    text: expect.stringMatching(
      new RegExp(`^Ada Able has asked .*${gateway.url}/firms/${firm.slug}/settings/data$`, 's'),
    ),
  });
  expect(await write(true)).toMatchObject({
    subject: expect.stringContaining('will not be deleted'),
    text: expect.stringMatching(/^Ada Able has cancelled [^/]*$/),
  });
  for (const [language, subject, text] of [
    ['de-AT', 'wird am 2026-12-05 05:31 UTC gelöscht', 'hat beantragt'],
    ['fr', 'sera supprimée', 'a demandé'],
    ['es', 'se eliminará', 'ha pedido'],
    ['pt-BR', 'será eliminada', 'pediu'],
    ['ja', 'will be deleted', 'has asked'],
  ] as const) {
    await services.pool.query('update users set language = $2 where id = $1', [user.id, language]);
    expect(await write(false), language).toMatchObject({
      subject: expect.stringContaining(subject),
      text: expect.stringMatching(new RegExp(`^Ada Able ${text}.*/settings/data$`, 's')),
    });
  }
});
