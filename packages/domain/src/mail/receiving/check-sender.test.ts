import { generateKeyPairSync } from 'node:crypto';
import { startDnsServer, TestLog } from '@firmdesk/testing';
import { dkimSign, sealMessage } from 'mailauth';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { checkSender } from './check-sender.ts';
import { headerFields } from './header-fields.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
});
const key = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
const texts = {
  's1._domainkey.plain.example': key,
  's1._domainkey.strict.example': key,
  's1._domainkey.lists.example': key,
  '_dmarc.strict.example': 'v=DMARC1; p=reject',
  'strict.example': 'v=spf1 ip4:192.0.2.0/24 -all',
  'plain.example': 'v=spf1 ip4:192.0.2.0/24 -all',
};
const dns = await startDnsServer(texts);
afterAll(() => dns[Symbol.asyncDispose]());
const log = new TestLog();
afterEach(() => expect(log.lines).toEqual([]));

const lines = (...all: string[]) => all.join('\r\n');
const mail = (from: string, ...headers: string[]) =>
  lines(...headers, `From: Ann <${from}>`, 'To: bob@desk.example', 'Subject: Hello', '', 'Hi', '');
const sign = async (raw: string, signingDomain: string, more: object = {}) => {
  const signature = { signingDomain, selector: 's1', privateKey, ...more };
  const { signatures, errors } = await dkimSign(raw, { ...signature, signatureData: [signature] });
  expect(errors).toEqual([]);
  return signatures + raw;
};
const received = (by: string, ip = '192.0.2.7') =>
  `Received: from out.example (out.example [${ip}])\r\n\tby ${by} (Postfix) with ESMTPS id 4X;\r\n\tFri, 27 Nov 2026 10:00:00 +0000`;

interface Envelope {
  from?: string;
  sender?: string;
  servers?: string[];
}
const check = (
  raw: string,
  { from = 'ann@strict.example', sender = from, servers = [dns.address] }: Envelope = {},
) =>
  checkSender(
    '1',
    { raw: Buffer.from(raw), sender, fields: headerFields(Buffer.from(raw)) },
    from,
    { trustedHosts: ['mx.desk.example', 'lists.example'], dnsServers: servers },
    log,
  );
const verified = { status: 'verified', via: null };
const unverified = { status: 'unverified', via: null };
const failed = { status: 'failed', via: null };

describe('a sender', () => {
  test('is verified by the signature of its domain, of a part of it, and with DMARC', async () => {
    for (const from of ['ann@plain.example', 'ann@mail.plain.example'])
      expect(await check(await sign(mail(from), 'plain.example'), { from })).toEqual(verified);
    expect(await check(await sign(mail('ann@strict.example'), 'strict.example'))).toEqual(verified);
  });

  test('is disowned by its domain without a signature that holds', async () => {
    expect(await check(mail('ann@strict.example'))).toEqual(failed);
    const signed = await sign(mail('ann@strict.example'), 'strict.example');
    expect(await check(signed.replace('Hi', 'Send money'))).toEqual(failed);
    expect(await check(signed.replace('Subject: Hello', 'Subject: Invoice'))).toEqual(failed);
  });

  test('is disowned if another domain has signed, which is named', async () => {
    const signed = await sign(mail('ann@strict.example'), 'lists.example');
    expect(await check(signed)).toEqual({ status: 'failed', via: 'lists.example' });
    const from = 'ann@plain.example';
    const listed = await sign(mail(from), 'lists.example');
    expect(await check(listed, { from })).toEqual({ status: 'unverified', via: 'lists.example' });
  });

  test('is not verified if its domain says nothing', async () => {
    for (const from of ['ann@plain.example', 'ann@unknown.example', 'ann@no-domain'])
      expect(await check(mail(from), { from })).toEqual(unverified);
  });

  test('is verified by the address of the client, if a trusted host tells it', async () => {
    const by = (host: string, ip?: string) => mail('ann@strict.example', received(host, ip));
    expect(await check(by('mx.desk.example'))).toEqual(verified);
    expect(await check(by('mx.desk.example', '198.51.100.7'))).toEqual(failed);
    expect(await check(by('mx.other.example'))).toEqual(failed);
    // What others have written below, and for the domain of another sender of the envelope.
    const below = mail(
      'ann@strict.example',
      received('mx.desk.example', '198.51.100.7'),
      received('mx.desk.example'),
    );
    expect(await check(below)).toEqual(failed);
    expect(await check(by('mx.desk.example'), { sender: 'x@plain.example' })).toEqual({
      status: 'failed',
      via: 'plain.example',
    });
    expect(await check(by('mx.desk.example'), { sender: '' })).toEqual(failed);
  });

  test('is not verified if the message names several, or the signature covers a part of it', async () => {
    const signed = await sign(mail('ann@strict.example'), 'strict.example');
    expect(await check(`From: Ann <ann@strict.example>\r\n${signed}`)).toEqual(unverified);
    const part = await sign(mail('ann@strict.example'), 'strict.example', { maxBodyLength: 4 });
    expect(part).toContain('l=4');
    expect(await check(`${part}and more\r\n`)).toEqual(unverified);
  });

  test('that a trusted list vouches for is named with it, and no other list counts', async () => {
    const original = await sign(mail('ann@strict.example'), 'strict.example');
    const changed = original.replace('Hi', 'Hi\r\n-- \r\nThe list');
    const seal = async (signingDomain: string) => {
      const headers = await sealMessage(Buffer.from(changed), {
        signingDomain,
        selector: 's1',
        privateKey,
        cv: 'none',
        authResults: `${signingDomain}; dkim=pass header.d=strict.example; dmarc=pass`,
      });
      return `${headers}${changed}`;
    };
    expect(await check(await seal('lists.example'))).toEqual({ status: 'unverified', via: 'lists.example' });
    expect(await check(await seal('plain.example'))).toEqual(failed);
  });
});

describe('a check', () => {
  test('waits seconds for a DNS that does not answer', async () => {
    await using silent = await startDnsServer(texts);
    silent.silence('all');
    const signed = await sign(mail('ann@strict.example', received('mx.desk.example')), 'strict.example');
    const start = performance.now();
    expect(await check(signed, { servers: [silent.address] })).toEqual(unverified);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(await check(signed)).toEqual(verified);
  });

  test('of a message with very many signatures asks a bounded number of questions', async () => {
    await using asked = await startDnsServer(texts);
    const signature = (n: number) =>
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=d${n}.example; s=s${n}; h=from; l=${n}; bh=eA==; b=eA==`;
    const many = Array.from({ length: 3_000 }, (_, n) => signature(n));
    const raw = `${mail('ann@strict.example', ...many)}${'x'.repeat(100_000)}\r\n`;
    expect((await check(raw, { servers: [asked.address] })).status).not.toBe('verified');
    expect(asked.asked.length).toBeLessThanOrEqual(200);
  });

  test.each([
    ['an empty message', ''],
    ['no header', '\r\n\r\nHi'],
    ['a long field', `From: ${'a '.repeat(200_000)}<ann@strict.example>\r\n\r\nHi`],
    ['blanks', `From: ann@strict.example\r\nDKIM-Signature: ${' \t'.repeat(200_000)};\r\n\r\nHi`],
    ['no signature', `From: ann@strict.example\r\nDKIM-Signature: \r\nARC-Seal: i=1\r\n\r\nHi`],
  ])('of %s ends', async (_, raw) => {
    expect(['failed', 'unverified']).toContain((await check(raw)).status);
  });
});
