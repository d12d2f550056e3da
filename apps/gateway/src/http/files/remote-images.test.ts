import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPublicAddress } from '@firmdesk/domain';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { afterEach, describe, expect, test } from 'vitest';
import { fetchRemoteImage, MAX_REMOTE_IMAGE_BYTES, type RemoteImageNetwork } from './fetch-remote-image.ts';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const gateway = await suiteGateway();

test.each([
  ['93.184.216.34', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['192.168.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:93.184.216.34', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001::1', false],
  ['ff02::1', false],
  ['no address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

describe('an image', () => {
  let server: Server | undefined;
  let requests: { url: string; headers: Record<string, unknown>; address: string | undefined }[] = [];
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    requests = [];
  });

  /** Starts a server on all addresses of this machine, of which 127.0.0.1 plays the public ones, and all others the private ones. */
  async function serve(
    answer: RequestListener,
  ): Promise<{ url: string; network: RemoteImageNetwork; port: number }> {
    server = createServer((req, res) => {
      requests.push({ url: req.url!, headers: req.headers, address: req.socket.localAddress });
      answer(req, res);
    });
    await new Promise<void>((resolve) => server!.listen(0, '0.0.0.0', resolve));
    const { port } = server.address() as AddressInfo;
    const network = { isAllowed: (address: string) => address === '127.0.0.1', ports: [port] };
    return { url: `http://127.0.0.1:${port}/a.gif`, network, port };
  }
  /** Returns what resolves names to one list of addresses after another. */
  const resolving = (...lists: string[][]) =>
    ((_name: string, _options: object, callback: (error: null, found: object[]) => void) => {
      const list = lists.length > 1 ? lists.shift()! : lists[0]!;
      callback(
        null,
        list.map((address) => ({ address, family: 4 })),
      );
    }) as unknown as NonNullable<RemoteImageNetwork['lookup']>;
  const reasonOf = (url: string, network?: RemoteImageNetwork) =>
    fetchRemoteImage(url, network).then(
      () => 'fetched',
      (error: Error) => error.message,
    );

  test('is not fetched from a server that switches to another protocol', async () => {
    const { url, network } = await serve((_req, res) =>
      res.socket!.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
    expect(await reasonOf(url, network)).toBe('the connection was closed without an answer');
  });

  test('is fetched without cookies, referrer and language', async () => {
    const { url, network } = await serve((_req, res) => res.end(GIF));
    expect(await fetchRemoteImage(url, network)).toEqual({ type: 'image/gif', content: GIF });
    expect(Object.keys(requests[0]!.headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  test.each([
    'http://127.0.0.2:PORT/',
    'http://2130706434:PORT/',
    'http://[::ffff:7f00:2]:PORT/',
    'http://0x7f.2:PORT/',
  ])('is not fetched from the private address %s, also behind a redirect', async (target) => {
    const { url, network, port } = await serve((_req, res) =>
      res.writeHead(302, { Location: target.replace('PORT', String(port)) }).end(),
    );
    expect(await reasonOf(target.replace('PORT', String(port)), network)).toBe('not a public address');
    expect(requests).toHaveLength(0);
    expect(await reasonOf(url, network)).toBe('not a public address');
    expect(requests).toHaveLength(1);
  });

  test('is fetched from the address that was checked, also when its name resolves to others afterwards', async () => {
    const { network, port } = await serve((req, res) =>
      req.url === '/first' ? res.writeHead(302, { Location: '/second' }).end() : res.end(GIF),
    );
    const url = `http://name.example:${port}/first`;
    const changing = resolving(['127.0.0.1'], ['127.0.0.2']);
    expect(await reasonOf(url, { ...network, lookup: changing })).toBe('not a public address');
    const mixed = resolving(['127.0.0.2', '127.0.0.1']);
    expect(await reasonOf(url, { ...network, lookup: mixed })).toBe('fetched');
    expect(requests.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  });

  test('is refused: other schemes and ports, endless redirects, errors, other content, too many bytes, too slow', async () => {
    const { url, network, port } = await serve((req, res) => {
      const { pathname } = new URL(req.url!, 'http://x');
      if (pathname === '/loop') res.writeHead(302, { Location: '/loop' }).end();
      else if (pathname === '/missing') res.writeHead(404).end(GIF);
      else if (pathname === '/page') res.end('<script>alert(1)</script>');
      else if (pathname === '/svg') res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>');
      else if (pathname === '/large') {
        res.write(GIF);
        res.end(Buffer.alloc(MAX_REMOTE_IMAGE_BYTES));
      } else if (pathname === '/slow') res.write(GIF);
      else res.end(GIF);
    });
    const at = (path: string) => reasonOf(new URL(path, url).href, { ...network, timeoutMs: 1_000 });
    expect(await reasonOf('file:///etc/passwd', network)).toBe('not a web address');
    expect(await reasonOf('', network)).toBe('not a web address');
    expect(await reasonOf('http://127.0.0.1:22/', network)).toBe('a port that web servers do not have');
    expect(await reasonOf(`http://127.0.0.1:${port}/`)).toBe('a port that web servers do not have');
    expect(await at('/loop')).toBe('too many redirects');
    expect(requests).toHaveLength(4);
    expect(await at('/missing')).toBe('the server answered 404');
    expect(await at('/page')).toBe('the content is no image');
    expect(await at('/svg')).toBe('the content is no image');
    expect(await at('/large')).toMatch(/^more than/);
    expect(await at('/slow')).toBe('it took too long');
  });
});

test('its answer does not tell whether a name exists in the network of the service', async () => {
  const { token, firm } = await createUserWithToken(gateway, { scopes: ['mail:read'] });
  const answers = ['http://localhost/', 'http://nowhere.invalid/', 'http://10.0.0.1/', 'x'].map(
    async (url) => {
      const path = `/mail-images/${firm.slug}?url=${encodeURIComponent(url)}`;
      const { status, body } = await gateway.request(`GET ${path}`, { token });
      return JSON.stringify([status, body.error]);
    },
  );
  expect(new Set(await Promise.all(answers)).size).toBe(1);
});

test('only an account that may read mail asks for an image, which it is answered like an unknown one', async () => {
  const { token, firm } = await createUserWithToken(gateway, { scopes: ['mail:read'] });
  const other = await createUserWithToken(gateway, { scopes: ['calendar:read'] });
  const ask = async (slug: string, as: string | null) => {
    const path = `/mail-images/${slug}?url=${encodeURIComponent('http://127.0.0.1/a.gif')}`;
    const { status, body } = await gateway.request(`GET ${path}`, { token: as });
    return [status, body.error.code];
  };
  expect(await ask(firm.slug, null)).toEqual([401, 'invalid_token']);
  expect(await ask(other.firm.slug, other.token)).toEqual([403, 'insufficient_scope']);
  expect(await ask(other.firm.slug, token)).not.toEqual([200, undefined]);
  expect(await ask(firm.slug, token)).toEqual([404, 'resource_not_found']);
});
