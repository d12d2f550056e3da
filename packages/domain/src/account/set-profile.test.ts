import { createToken } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';

const gateway = await suiteGateway();
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('sets the name, the language and the picture of the account, each by itself', async () => {
  const { token } = await createUserWithToken(gateway);
  const set = async (body: object) => {
    const answer = await gateway.rpc('account.setProfile', { token, body });
    expect(answer.code, answer.text).toBeNull();
    return answer.data;
  };
  expect(await set({ name: ' Kim\nNew ' })).toMatchObject({ name: 'Kim New', language: 'en' });
  expect(await set({ language: 'pt-BR' })).toMatchObject({ name: 'Kim New', language: 'pt-BR' });
  await set({ avatar: PNG });
  const account = async () => (await gateway.rpc('account.get', { token })).data;
  const { avatar_url } = await account();
  const picture = await fetch(`${gateway.url}${new URL(avatar_url, gateway.url).pathname}`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  await set({});
  expect((await account()).avatar_url).toBe(avatar_url);
  await set({ avatar: null });
  expect((await account()).avatar_url).toBeNull();
});

test('refuses what is no picture, a name without letters, and a test token', async () => {
  const { user, firm, token } = await createUserWithToken(gateway);
  const fieldOf = async (body: object) =>
    (await gateway.rpc('account.setProfile', { token, body })).fields?.[0]?.path;
  expect(await fieldOf({ avatar: 'https://tracker.example/a.png' })).toBe('avatar');
  expect(await fieldOf({ avatar: `data:image/png;base64,${btoa('<html>')}` })).toBe('avatar');
  expect(await fieldOf({ name: '\u200b' })).toBe('name');
  expect(await fieldOf({ language: 'english!' })).toBe('language');
  const test = await createToken(gateway.services, { user, workspace: firm.slug, environment: 'test' });
  const { code } = await gateway.rpc('account.setProfile', { token: test.text, body: { name: 'Kim' } });
  expect(code).toBe('forbidden');
});
