/** Programs that we did not write check our signature and hand us mail. */
import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFarEnd } from '@firmdesk/testing';
import { describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { isInstalled } from '../operations/is-installed.ts';
import { temporaryFolder } from '../started-gateway.ts';
import { installFirm } from './installed-firm.ts';
import { hasPostfix, startPostfix } from './postfix.ts';

const SOON = { timeout: 60_000 };

describe.runIf(hasPostfix && isInstalled('opendkim'))('OpenDKIM', () => {
  test('verifies our signature of a message that has passed Postfix', async () => {
    await using folder = await temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'der' },
    });
    await writeFile(at('key.pem'), privateKey);
    await writeFile(
      at('dns'),
      `s1._domainkey.north.example v=DKIM1; k=rsa; p=${publicKey.toString('base64')}\n`,
    );
    await writeFile(
      at('opendkim.conf'),
      `Mode v\nSyslog no\nUserID ${process.getuid!()}\nSocket local:${at('socket')}\nTestDNSData ${at('dns')}\n`,
    );
    await using far = await startFarEnd();
    const lmtpPort = await freePort();
    await using postfix = await startPostfix({
      'elsewhere.example': far.url.replace('smtp://127.0.0.1', 'smtp:[127.0.0.1]'),
    });
    const options = { domain: 'north.example', smtpUrl: postfix.url, lmtpPort, dkimKey: at('key.pem') };
    await using north = await installFirm(options);
    const file = await north.phone.upload('Zahlen für März.bin', Buffer.alloc(5_000, '\n.\n'));
    const bodies = ['Hi', `<p>${'Größe & mehr '.repeat(500)}</p>\n.\n.dots\n\n\n`];
    for (const body of bodies) {
      const message = { to: ['ann@elsewhere.example'], subject: 'Größe der Zahlen', body };
      await north.phone.send({ ...message, attachments: body === 'Hi' ? [] : [file] });
    }
    await expect.poll(() => far.accepted.length, SOON).toBe(bodies.length);

    const verify = async (raw: string) => {
      await writeFile(at('message'), raw);
      return execFileSync('opendkim', ['-x', at('opendkim.conf'), '-t', at('message'), '-v'], {
        encoding: 'utf8',
      });
    };
    for (const { raw } of far.accepted) {
      expect(raw.includes('by mx.test.example (Postfix)')).toBe(true);
      expect(await verify(raw)).toContain('(s=s1, d=north.example, 2048-bit key) succeeded');
    }
    expect(await verify(`${far.accepted[0]!.raw.trimEnd()} and more\r\n`)).toContain('failed');
  });
});

describe.runIf(isInstalled('swaks'))('swaks', () => {
  test('hands us mail by LMTP, with an answer for each recipient', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'Zahlen.csv');
    await writeFile(file, 'a;b\n1;2\n');
    const lmtpPort = await freePort();
    await using north = await installFirm({
      domain: 'north.example',
      smtpUrl: 'smtp://127.0.0.1:1',
      lmtpPort,
    });
    const swaks = (to: string, ...more: string[]) =>
      run(
        'swaks',
        ['--protocol', 'LMTP', '--server', `127.0.0.1:${lmtpPort}`, '--helo', 'mx.elsewhere.example'].concat([
          '--from',
          'ann@elsewhere.example',
          '--to',
          to,
          ...more,
        ]),
      );

    const tagged = north.email.replace('@', '+news@');
    const sent = await swaks(
      `${north.email},nobody@north.example,${tagged}`,
      ...['--header', 'Subject: Zahlen', '--body', '.a line with a dot\r\n.\r\nend', '--attach', `@${file}`],
    );
    expect(sent).toMatch(/550 .*no mailbox nobody@north\.example/);
    expect(sent.match(/^<- {2}250 .*Delivered/gm)).toHaveLength(2);
    const [row, ...others] = await north.phone.list();
    expect(others).toEqual([]);
    const { body, attachments } = await north.phone.open(row!.id);
    expect(body).toContain('.a line with a dot');
    expect(body).toContain('end');
    expect(attachments).toMatchObject([{ name: 'Zahlen.csv' }]);
    const content = await north.phone.download(north.firm.slug, attachments[0]!.id);
    expect(content.toString()).toBe('a;b\n1;2\n');

    expect(await swaks(north.email, '--header', 'X-Spam-Flag: YES')).toMatch(/250 .*Delivered/);
    expect(await north.phone.list('folder=spam')).toHaveLength(1);
    // What is not LMTP, and a message of another server's queue that is cut off.
    expect(await swaks(north.email, '--drop-after-send', 'DATA')).not.toMatch(/Delivered/);
    expect(await run('swaks', ['--server', `127.0.0.1:${lmtpPort}`, '--to', north.email])).toMatch(
      /<\*\* 5\d\d/,
    );
    expect(await north.phone.list()).toHaveLength(1);
  });
});

/** Runs a program to its end. Returns what it has written; how it ended is in that. */
function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 60_000 }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}
