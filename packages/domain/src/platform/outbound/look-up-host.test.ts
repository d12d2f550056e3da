import { scrypt } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { startDnsServer } from '@firmdesk/testing';
import { expect, test } from 'vitest';
import { lookUpInDns } from './look-up-host.ts';

/** The threads that files, passwords and `dns.lookup` share. */
const THREADS = 4;

test('a host is looked up in the DNS, and one without an address is an error', async () => {
  await using dns = await startDnsServer({}, { 'push.example': '203.0.113.7' });
  const find = promisify(lookUpInDns([dns.address]));
  expect(await find('push.example', { all: true })).toEqual([{ address: '203.0.113.7', family: 4 }]);
  await expect(find('nowhere.example', { all: true })).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(dns.asked).toContain('AAAA push.example');
});

test('names of this machine are not asked for', async () => {
  await using dns = await startDnsServer({});
  const find = promisify(lookUpInDns([dns.address]));
  for (const name of ['localhost', 'hooks.localhost'])
    expect((await find(name, { all: true })).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
  expect(dns.asked).toEqual([]);
});

test('servers that do not answer take no thread of files and passwords, and end', async () => {
  await using dns = await startDnsServer({});
  dns.silence('all');
  const find = promisify(lookUpInDns([dns.address]));
  let ended = 0;
  const lookups = Array.from({ length: 5 * THREADS }, (_, i) =>
    find(`slow${i}.example`, { all: true }).catch((error: NodeJS.ErrnoException) => {
      ended++;
      return error.code;
    }),
  );
  await expect.poll(() => dns.asked.length).toBeGreaterThan(THREADS);
  await stat('.');
  await promisify(scrypt)('a password', 'salt', 32);
  expect(ended).toBe(0);
  expect(new Set(await Promise.all(lookups))).toEqual(new Set(['ETIMEOUT']));
});
