import { isIP } from 'node:net';

const DEFAULT_PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/** The place and the account of a mail server. */
interface SmtpPlace {
  host: string;
  port: number;
  isSecure: boolean;
  isLoopback: boolean;
  user: string;
  password: string;
}

/** Reads a URL. Throws what is wrong, as the end of a sentence about it. */
export function readSmtpUrl(text: string): SmtpPlace {
  const url = URL.parse(text);
  const port = url && DEFAULT_PORTS[url.protocol];
  if (!url?.hostname || port === undefined || port === null)
    throw new TypeError('must be a URL such as smtps://user@mail.example.com or smtp://127.0.0.1:25');
  if (url.search || url.hash || !/^\/?$/.test(url.pathname))
    throw new TypeError('must end with the host and the port');
  if (url.password && !url.username) throw new TypeError('must have a user, because it has a password');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? port : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    isLoopback: host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}
