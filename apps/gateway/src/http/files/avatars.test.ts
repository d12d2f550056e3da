import { createTicket, createUser, setAvatar, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  followTicket,
  openTestGateway,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import sharp from 'sharp';
import { beforeEach, describe, expect, inject, test } from 'vitest';

const gateway = await suiteGateway();
let agent: UserWithToken;
let trader: TestUser;

beforeEach(async () => {
  agent = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets'],
    scopes: ['admin:read', 'admin:write'],
  });
  trader = await createUser(gateway.services, { firm: agent.firm, role: 'trader' });
});

/** A picture that differs from those of the other tests. */
const svg = (content = '') => `<svg xmlns="http://www.w3.org/2000/svg">${content}<!-- ${trader.id} --></svg>`;
const base64 = (content: string | Buffer, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const get = (hash: string | null, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${gateway.url}/avatars/${hash}`, { method, headers });

describe('GET /avatars/HASH', () => {
  test.each<[form: string, url: () => string, type: string, content: () => string | Buffer]>([
    ['in base64', () => base64(PNG), 'image/png', () => PNG],
    ['with a wrong type', () => base64(PNG, 'text/html'), 'image/png', () => PNG],
    [
      'with percent encoding',
      () => `data:image/svg+xml,${encodeURIComponent(svg('é'))}`,
      'image/svg+xml',
      () => svg('é'),
    ],
    ['as text', () => `DATA:,${svg()}`, 'image/svg+xml', svg],
  ])('answers a picture that is stored %s, without a token', async (_form, url, type, content) => {
    const hash = await setAvatar(gateway.services, trader, url());
    const answer = await get(hash, { 'accept-encoding': 'br, gzip' });
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(content()));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(Buffer.byteLength(content())),
      etag: `"${hash}"`,
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(answer.headers.has('content-encoding')).toBe(false);

    const again = await get(hash, { 'if-none-match': `"${hash}"` });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', `"${hash}"`]);
    const head = await get(hash, {}, 'HEAD');
    expect([head.status, await head.text(), head.headers.get('content-type')]).toEqual([200, '', type]);
    const post = await get(hash, {}, 'POST');
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('answers a picture without the text that was in it', async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
      .withExif({ IFD0: { Make: 'SecretMaker' } })
      .jpeg()
      .toBuffer();
    const answer = await get(await setAvatar(gateway.services, trader, base64(picture, 'image/jpeg')));
    const served = Buffer.from(await answer.arrayBuffer());
    expect([picture.includes('SecretMaker'), served.includes('SecretMaker')]).toEqual([true, false]);
    expect(await sharp(served).raw().toBuffer()).toEqual(await sharp(picture).raw().toBuffer());
  });

  test.each<[name: string, url: string]>([
    ['HTML', base64('<!DOCTYPE html><script>alert(1)</script>', 'image/png')],
    ['SVG with entities', base64('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>', 'image/svg+xml')],
    ['malformed percent encoding', 'data:image/svg+xml,<svg>%zz</svg>'],
    ['a data: URL without data', 'data:image/png;base64'],
    ['more than 1,000,000 characters', `data:,<svg>${' '.repeat(1_000_000)}`],
  ])('answers 404 for a stored picture that cannot be served: %s', async (_name, url) => {
    expect((await get(await setAvatar(gateway.services, trader, url))).status).toBe(404);
  });

  test('answers 404, which no cache stores, for an unknown hash, another path and a picture that was replaced', async () => {
    const replaced = await setAvatar(gateway.services, trader, `data:,${svg()}`);
    await setAvatar(gateway.services, trader, `data:,${svg('new')}`);
    for (const hash of [
      replaced,
      'f'.repeat(64),
      replaced!.toUpperCase(),
      'x',
      "'",
      '%00',
      `${replaced}%2F`,
    ]) {
      const answer = await get(hash, { accept: 'text/html', 'if-none-match': `"${hash}"` });
      const { error } = (await answer.json()) as { error: { code: string } };
      expect([hash, answer.status, error.code]).toEqual([hash, 404, 'resource_not_found']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('avatars in responses', () => {
  const list = () => gateway.request('GET /v1/admin/tickets', { token: agent.token });

  test('are absolute URLs of the gateway in lists, tickets, changes, the directory and live events', async () => {
    const { firm, user, token } = agent;
    const urlOf = async (person: TestUser, content: string) =>
      `${gateway.url}/avatars/${await setAvatar(gateway.services, person, `data:,${svg(content)}`)}`;
    const [traderUrl, agentUrl] = [await urlOf(trader, 'trader'), await urlOf(user, 'agent')];
    const ticket = await createTicket(gateway.services, { firm, trader, messages: [{ body: 'hello' }] });
    using viewer = await followTicket({ url: gateway.url, token, ticket });
    const assigned = await gateway.rpc('tickets.assign', { token, body: { ticket, assignee: user.id } });
    const expected = { trader: { avatar_url: traderUrl }, assignee: { avatar_url: agentUrl } };
    expect(assigned.data).toMatchObject(expected);
    await expect.poll(() => viewer.events.length, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(viewer.events.at(-1)!.data).toMatchObject({ type: 'ticket.updated', ticket: assigned.data });

    const page = await list();
    expect(page.body.data).toMatchObject([expected]);
    expect(page.text).not.toContain('data:');
    const one = await gateway.rpc('tickets.get', { token, body: { ticket } });
    expect(one.data).toMatchObject(expected);
    const directory = await gateway.rpc('tickets.desk', { token });
    expect(directory.data.agents).toMatchObject([{ id: user.id, avatar_url: agentUrl }]);
    expect((await fetch(traderUrl)).status).toBe(200);
  });

  test('remain as they are when they are on another server, and null without one', async () => {
    await setAvatar(gateway.services, trader, 'https://pictures.example/sam.png');
    const assignee = agent.user;
    await createTicket(gateway.services, { firm: agent.firm, trader, assignee });
    const { body } = await list();
    expect(body.data).toMatchObject([
      { trader: { avatar_url: 'https://pictures.example/sam.png' }, assignee: { avatar_url: null } },
    ]);
  });

  test('remain as they are in events and accounts that a process of an earlier version has written', async () => {
    const { firm, token } = agent;
    const { pool } = gateway.services;
    const old = `data:,${svg('old')}`;
    await pool.query('update users set avatar_url = $2 where id = $1', [trader.id, old]);
    const ticket = await createTicket(gateway.services, { firm, trader });
    const { body } = await list();
    expect(body.data).toMatchObject([{ id: ticket, trader: { avatar_url: old } }]);

    using viewer = await followTicket({ url: gateway.url, token, ticket });
    await gateway.rpc('tickets.setPriority', { token, body: { ticket, priority: 'high' } });
    await expect.poll(() => viewer.events.length, { timeout: 30_000 }).toBe(1);
    expect(viewer.events[0]!.data).toMatchObject({ ticket: { trader: { avatar_url: old } } });
  });

  test('have the public URL, and cost about 100 bytes each in a page of tickets', async () => {
    await using other = await openTestGateway(inject('postgresUrl'));
    other.services.publicUrl = () => 'https://desk.example/sub';
    const { firm, token } = await createUserWithToken(other, {
      permissions: ['view_tickets'],
      scopes: ['admin:read'],
    });
    const pictures = Array.from({ length: 20 }, (_, n) =>
      base64(`<svg xmlns="http://www.w3.org/2000/svg">${n}${' '.repeat(10_000)}</svg>`, 'image/svg+xml'),
    );
    const traders = await Promise.all(
      pictures.map(async (picture) => {
        const trader = await createUser(other.services, { firm, role: 'trader' });
        await createTicket(other.services, { firm, trader });
        return { trader, hash: await setAvatar(other.services, trader, picture) };
      }),
    );
    const { body, text } = await other.request('GET /v1/admin/tickets?limit=20', { token });
    const urls = body.data.map(({ trader }: { trader: { avatar_url: string } }) => trader.avatar_url);
    expect(urls.sort()).toEqual(traders.map(({ hash }) => `https://desk.example/sub/avatars/${hash}`).sort());
    // With the pictures themselves, the page would have 270 kB.
    expect(text.length).toBeLessThan(20_000);
  });
});
