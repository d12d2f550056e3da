import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readDatabaseUrl } from './database-url.ts';

const hostsOf = (url: string) => readDatabaseUrl(url).hosts.map(({ host, port }) => `${host}:${port}`);

test('reads one host, several hosts, addresses and sockets', () => {
  expect(hostsOf('postgres://db.example/desk')).toEqual(['db.example:5432']);
  expect(hostsOf('postgresql://a:5433,b,c:5434/desk')).toEqual(['a:5433', 'b:5432', 'c:5434']);
  expect(hostsOf('postgres://[::1]:5433/desk')).toEqual(['::1:5433']);
  expect(hostsOf('postgres:///desk')).toEqual(['localhost:5432']);
  expect(hostsOf('postgres:///desk?host=/run/postgresql&port=5433')).toEqual(['/run/postgresql:5433']);
  expect(hostsOf('postgres://%2Frun%2Fpostgresql/desk')).toEqual(['/run/postgresql:5432']);
});

test('decodes the account and the database', () => {
  const { user, password, database } = readDatabaseUrl('postgres://desk%40x:p%3Aw:%2F@h/firm%20desk');
  expect({ user, password, database }).toEqual({ user: 'desk@x', password: 'p:w:/', database: 'firm desk' });
});

test('reads the settings of sessions', () => {
  const address = readDatabaseUrl(
    'postgres://h/d?application_name=desk-2&search_path=desk,%20public&options=-c%20jit%3Doff&target_session_attrs=any&connect_timeout=3',
  );
  expect(address.applicationName).toBe('desk-2');
  expect([address.options, address.searchPath]).toEqual(['-c jit=off', 'desk, public']);
  expect(address.targetSession).toBe('any');
  expect(address.connectTimeoutMs).toBe(3_000);
  expect(readDatabaseUrl('postgres://h/d')).toMatchObject({
    applicationName: 'firmdesk',
    options: '',
    searchPath: null,
    targetSession: null,
    connectTimeoutMs: null,
    tlsOf: false,
  });
});

const here = encodeURIComponent(new URL(import.meta.url).pathname);
const tlsOf = (query: string) => {
  const { tlsOf } = readDatabaseUrl(`postgres://h/d?${query}`);
  return tlsOf ? tlsOf({ host: 'h', port: 1 }) : false;
};

test('reads the TLS mode as libpq does', () => {
  const otherName = { subject: { CN: 'other' }, subjectaltname: 'DNS:other' } as never;
  const checksName = (query: string) => {
    const tls = tlsOf(query);
    return tls && tls.checkServerIdentity!('h', otherName) !== undefined;
  };
  expect(tlsOf('sslmode=disable')).toBe(false);
  expect(tlsOf('sslmode=require')).toMatchObject({ rejectUnauthorized: false });
  expect(tlsOf(`sslmode=require&sslrootcert=${here}`)).toMatchObject({ rejectUnauthorized: true });
  expect(tlsOf(`sslmode=verify-ca&sslrootcert=${here}`)).toMatchObject({
    rejectUnauthorized: true,
    ca: expect.stringContaining('import'),
  });
  expect(tlsOf('sslmode=verify-full')).toMatchObject({ rejectUnauthorized: true });
  expect(checksName(`sslmode=verify-ca&sslrootcert=${here}`)).toBe(false);
  expect(checksName('sslmode=verify-full')).toBe(true);
});

test('reads the password from a file each time, and keeps the last one while the file is empty or missing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firmdesk-password-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'password');
  const url = `postgres://desk@h/d?password_file=${file}`;
  expect(() => readDatabaseUrl(url)).toThrow('a password_file that cannot be read');
  writeFileSync(file, '\n');
  expect(() => readDatabaseUrl(url)).toThrow('a password_file that is empty');
  writeFileSync(file, 'first\n');
  const { password } = readDatabaseUrl(url) as { password: () => string };
  expect(password()).toBe('first');
  writeFileSync(file, 'second\n');
  expect(password()).toBe('second');
  writeFileSync(file, '');
  expect(password()).toBe('second');
  // A connection that is created meanwhile, which reads the URL again.
  expect((readDatabaseUrl(url) as { password: () => string }).password()).toBe('second');
  rmSync(file);
  expect(password()).toBe('second');
});

test.each([
  ['mysql://h/d', 'must be a URL such as'],
  ['postgres://h:70000/d', 'port'],
  ['postgres://h/d?sslmod=require', 'unknown parameter sslmod'],
  ['postgres://h/d?sslmode=prefer', 'may use an unencrypted connection'],
  ['postgres://h/d?sslmode=on', 'unknown sslmode: use disable, require, verify-ca, verify-full'],
  ['postgres://h/d?sslrootcert=/ca.pem', 'without an sslmode'],
  ['postgres://h/d?sslmode=verify-ca', 'without a file sslrootcert'],
  [
    'postgres://h/d?sslmode=verify-full&sslrootcert=/missing.pem',
    'sslrootcert=/missing.pem, which cannot be read',
  ],
  ['postgres://h/d?target_session_attrs=write', 'unknown target_session_attrs'],
  ['postgres://h/d?application_name=a-name-that-is-too-long', 'application_name of more than 19 bytes'],
  ['postgres://u:100%@h/d', '%25'],
])('rejects %s', (url, message) => {
  expect(() => readDatabaseUrl(url)).toThrow(message);
});
