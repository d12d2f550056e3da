import { createTransport } from 'nodemailer';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { Log } from '../../platform/process/log.ts';
import { oneLine } from '../parsing/one-line.ts';
import type { MailServer, SendResult } from './mail-server.ts';
import { readSmtpUrl } from './read-smtp-url.ts';

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with the user. */
  url: string;
  /** Instead of the one in the URL. */
  password: string | null;
  dkim: DkimKey | null;
  log: Log;
  timeouts?: Partial<SmtpTimeouts>;
}

/** Signs messages (RFC 6376): with the domain of the sender if it is one of these, otherwise with the first one. */
export interface DkimKey {
  /** RSA, in PEM form. */
  privateKey: string;
  selector: string;
  domains: readonly [string, ...string[]];
}

interface SmtpTimeouts {
  /** For a connection, and for the greeting of the server. */
  connectMs: number;
  /** Without a byte from the server. RFC 5321 §4.5.3.2 gives it minutes, in which it can scan a message. */
  silenceMs: number;
  /** For a message as a whole. */
  messageMs: number;
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 30_000, silenceMs: 5 * MINUTE_MS, messageMs: 15 * MINUTE_MS };
const CONNECTIONS = 10;
/** Shorter than what servers give an idle connection. */
const IDLE_MS = 10_000;
const MAX_DETAIL = 500;
/** The server wants another configuration: TLS or a sign-in (RFC 4954 §6, RFC 3207 §4). */
const CONFIGURATION = new Set([530, 534, 535, 538]);

/**
 * Opens a mail server, to which connections are kept. Except to this machine, they are encrypted and its certificate is verified. A message is sent again
 * by itself only while no byte of it has left.
 */
export function openSmtp({ url, password, dkim, log, timeouts }: SmtpOptions): MailServer {
  const { host, port, isSecure, isLoopback, user, password: given } = readSmtpUrl(url);
  const { connectMs, silenceMs, messageMs } = { ...TIMEOUTS, ...timeouts };
  const server = createTransport({
    pool: true,
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && !isLoopback,
    tls: { rejectUnauthorized: !isLoopback },
    ...(user !== '' && { auth: { user, pass: password ?? given } }),
    maxConnections: CONNECTIONS,
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  server.on('error', (error) => log.warn({ err: error }, 'a connection to the mail server failed'));
  return {
    async send({ raw, from, returnPath, to }) {
      try {
        const { response } = await server.sendMail({
          raw,
          envelope: { from: returnPath, to },
          signal: AbortSignal.timeout(messageMs),
          ...(dkim && { dkim: signatureFor(dkim, from) }),
        });
        return { state: 'sent', detail: oneLine(response, MAX_DETAIL) };
      } catch (error) {
        const result = resultOf(error as SmtpError);
        if (result.state === 'unreachable') log.warn({ err: error }, 'the mail server cannot be reached');
        return result;
      }
    },
    async check() {
      await server.verify();
    },
    async close() {
      server.close();
    },
  };
}

function signatureFor({ privateKey, selector, domains }: DkimKey, from: string) {
  const domain = from.slice(from.lastIndexOf('@') + 1).toLowerCase();
  return {
    domainName: domains.includes(domain) ? domain : domains[0],
    keySelector: selector,
    privateKey,
  };
}

/** What nodemailer adds to an error. */
interface SmtpError extends Error {
  code?: string;
  response?: string;
  responseCode?: number;
  permanent?: boolean;
}

function resultOf({ code, message, response, responseCode, permanent }: SmtpError): SendResult {
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isAboutMessage || CONFIGURATION.has(responseCode!))
    return {
      state: 'unreachable',
      detail: oneLine(response ?? `The mail server cannot be reached (${code ?? 'error'}).`, MAX_DETAIL),
    };
  // Without an answer, the server cannot take such a message: it is too large, or the address is not one of ASCII.
  const state = (permanent ?? response === undefined) ? 'refused' : 'later';
  return { state, detail: oneLine(response ?? message, MAX_DETAIL) };
}
