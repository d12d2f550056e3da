import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MAX_RAW_MESSAGE } from '@firmdesk/contract';
import {
  finishesBefore,
  hasMailbox,
  type Log,
  type Receipt,
  type ReceivingRules,
  receiveMail,
  type Services,
} from '@firmdesk/domain';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { MAX_LARGE_BODY_BYTES } from '../http/calls/large-bodies.ts';
import { inParts } from './in-parts.ts';

/** Connections of mail servers. Another one is told to come back later. */
const MAX_CONNECTIONS = 50;
const MAX_RECIPIENTS = 200;
/** A mail server that sends nothing for this long is disconnected. */
const IDLE_MS = 300_000;

export interface MailListenerOptions {
  protocol: 'lmtp' | 'smtp';
  host: string;
  port: number;
  rules: ReceivingRules;
}

export interface MailListener {
  port: number;
  /** Takes no further messages, waits until those that arrive are delivered, or for the deadline, and closes the connections. */
  drain(deadline: AbortSignal): Promise<void>;
}

/** An answer that is not `250`. */
class Refusal extends Error {
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

const LATER = () => new Refusal(451, 'The message cannot be stored at the moment.');

/**
 * Listens for mail that a mail server hands over. Each recipient gets an answer: `250` after the message is committed, `4xx` if the server
 * shall try again, `5xx` if it shall not. LMTP (RFC 2033) has an answer for each recipient of a message. SMTP has one for all, so a message
 * has one recipient there: the server sends it again for those that were told to come later.
 */
export async function startMailListener(
  services: Services,
  log: Log,
  { protocol, host, port, rules }: MailListenerOptions,
): Promise<MailListener> {
  const active = new Set<Promise<unknown>>();
  let bytes = 0;
  let isDraining = false;

  /**
   * Reads a message, and counts it in `held`. Throws a {@link Refusal} for one that is too large, or that arrives
   * while the process holds too many.
   */
  async function read(stream: SMTPServerDataStream, held: { bytes: number }): Promise<Buffer> {
    let chunks: Buffer[] = [];
    let refusal: Refusal | null = null;
    for await (const chunk of inParts(stream)) {
      if (refusal) continue;
      held.bytes += chunk.length;
      bytes += chunk.length;
      chunks.push(chunk);
      if (held.bytes > MAX_RAW_MESSAGE)
        refusal = new Refusal(552, `A message must not be larger than ${MAX_RAW_MESSAGE} bytes.`);
      else if (bytes > MAX_LARGE_BODY_BYTES)
        refusal = new Refusal(452, 'Too many messages arrive at the moment.');
      if (refusal) chunks = [];
    }
    if (refusal) throw refusal;
    return Buffer.concat(chunks);
  }

  async function receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<(string | Error)[]> {
    const { mailFrom, rcptTo } = session.envelope;
    const recipients = rcptTo.map(({ address }) => address);
    const sender = mailFrom === false ? '' : mailFrom.address;
    const held = { bytes: 0 };
    try {
      const raw = await read(stream, held);
      const receipts = await receiveMail(services, { raw, sender, recipients }, rules);
      const statuses = receipts.map(({ status }) => status);
      log.info({ statuses, bytes: raw.length }, 'received mail');
      return receipts.map(answerTo);
    } finally {
      bytes -= held.bytes;
    }
  }

  const server = new SMTPServer({
    lmtp: protocol === 'lmtp',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    size: MAX_RAW_MESSAGE,
    maxClients: MAX_CONNECTIONS,
    maxRecipients: MAX_RECIPIENTS,
    maxAllowedUnauthenticatedCommands: false,
    socketTimeout: IDLE_MS,
    closeTimeout: 1,
    logger: false,
    onMailFrom(_address, _session, callback) {
      callback(isDraining ? new Refusal(421, 'The service is stopping.') : null);
    },
    onRcptTo({ address }, { envelope }, callback) {
      if (protocol === 'smtp' && envelope.rcptTo.length > 0)
        return callback(new Refusal(452, 'Too many recipients: a message has one here.'));
      // A client counts the answers to a message by its recipients, and the library answers once for two that are equal.
      if (envelope.rcptTo.some((known) => known.address.toLowerCase() === address.toLowerCase()))
        return callback(new Refusal(452, 'The recipient is named twice.'));
      hasMailbox(services, address).then(
        (isKnown) => callback(isKnown ? null : new Refusal(550, `There is no mailbox ${address}.`)),
        (error: unknown) => {
          log.error({ err: error }, 'a recipient was not looked up');
          callback(LATER());
        },
      );
    },
    onData(stream, session, callback) {
      const receiving = receive(stream, session).then(
        (answers) => {
          if (protocol === 'lmtp') return callback(null, answers as never);
          const [answer] = answers;
          if (answer instanceof Error) callback(answer);
          else callback(null, answer);
        },
        (error: unknown) => {
          if (error instanceof Refusal) return callback(error);
          // The connection has ended in the middle of the message.
          if (!stream.destroyed) log.error({ err: error }, 'a message was not received');
          callback(LATER());
        },
      );
      active.add(receiving);
      void receiving.finally(() => active.delete(receiving));
    },
  });
  server.on('error', (error: unknown) => log.warn({ err: error }, 'a connection of a mail server failed'));
  const listening = server.listen(port, host);
  await once(listening, 'listening');

  return {
    port: (listening.address() as AddressInfo).port,
    async drain(deadline) {
      isDraining = true;
      await finishesBefore(deadline, Promise.all(active));
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

function answerTo(receipt: Receipt): string | Error {
  switch (receipt.status) {
    case 'unknown_mailbox':
      return new Refusal(550, 'There is no such mailbox.');
    case 'refused':
      return new Refusal(554, receipt.reason);
    case 'unavailable':
      return LATER();
    default:
      return receipt.status === 'delivered' ? 'Delivered.' : 'Delivered before.';
  }
}
