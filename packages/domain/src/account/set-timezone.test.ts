import { createToken } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();

test('sets the time zone of the account', async () => {
  const { token } = await createUserWithToken(gateway);
  const { data } = await gateway.rpc('account.setTimezone', { token, body: { timezone: 'Asia/Tokyo' } });
  expect(data).toMatchObject({ timezone: 'Asia/Tokyo' });
  expect((await gateway.rpc('account.get', { token })).data.user.timezone).toBe('Asia/Tokyo');
});

test('rejects what is not an IANA time zone', async () => {
  const { token } = await createUserWithToken(gateway);
  for (const timezone of ['', 'Berlin', '+02:00', 5, null]) {
    const { status, code, fields } = await gateway.rpc('account.setTimezone', { token, body: { timezone } });
    expect([status, code, fields?.[0]?.path]).toEqual([422, 'validation_failed', 'timezone']);
  }
});

test('rejects a test token: the account is the same in the firm and in its sandbox', async () => {
  const { user, firm, token } = await createUserWithToken(gateway);
  const test = await createToken(gateway.services, { user, workspace: firm.slug, environment: 'test' });
  const { status, code } = await gateway.rpc('account.setTimezone', {
    token: test.text,
    body: { timezone: 'Asia/Tokyo' },
  });
  expect([status, code]).toEqual([403, 'forbidden']);
  expect((await gateway.rpc('account.get', { token })).data.user.timezone).toBe('UTC');
});
