import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Log, MailServer } from '@firmdesk/domain';
import type { Config } from '../config.ts';

/** Opens the mail server with the password and the key that the files have now. */
export async function openMailServer(
  { url, passwordFile, dkim }: NonNullable<Config['smtp']>,
  domains: Config['mailDomains'],
  log: Log,
): Promise<MailServer> {
  // The library is loaded only where mail is sent.
  const { openSmtp } = await import('@firmdesk/domain/smtp');
  return openSmtp({
    url,
    password: passwordFile === null ? null : await readPassword(passwordFile),
    dkim: dkim && {
      privateKey: await readDkimKey(dkim.keyFile),
      selector: dkim.selector,
      domains: domains as [string, ...string[]],
    },
    log,
  });
}

async function readPassword(path: string): Promise<string> {
  const password = (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  if (password === '') throw new TypeError(`SMTP_PASSWORD_FILE ${path} is empty`);
  return password;
}

async function readDkimKey(path: string): Promise<string> {
  const key = await readFile(path, 'utf8');
  let type: string | undefined;
  try {
    type = createPrivateKey(key).asymmetricKeyType;
  } catch {
    throw new TypeError(`DKIM_KEY_FILE ${path} is not a private key in PEM form`);
  }
  if (type !== 'rsa') throw new TypeError(`DKIM_KEY_FILE ${path} must be an RSA key`);
  return key;
}

/** The mail server with the password and the key of files, which can be read again while mail is sent. */
export class ReloadableMailServer implements MailServer {
  readonly #open: () => Promise<MailServer>;
  #current: MailServer;

  private constructor(open: () => Promise<MailServer>, current: MailServer) {
    this.#open = open;
    this.#current = current;
  }

  static async open(...args: Parameters<typeof openMailServer>): Promise<ReloadableMailServer> {
    const open = () => openMailServer(...args);
    return new ReloadableMailServer(open, await open());
  }

  /** Sends further messages with what the files have now. Those in progress are finished with the last. */
  async reload(): Promise<void> {
    const last = this.#current;
    this.#current = await this.#open();
    await last.close();
  }

  send(...args: Parameters<MailServer['send']>): ReturnType<MailServer['send']> {
    return this.#current.send(...args);
  }

  check(): Promise<void> {
    return this.#current.check();
  }

  close(): Promise<void> {
    return this.#current.close();
  }
}
