import type { SenderCheck } from '@firmdesk/contract';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { FairSemaphore } from '../../platform/process/fair-semaphore.ts';
import type { Services } from '../../platform/services.ts';
import { parseMail, UnreadableMailError } from '../parsing/parse-mail.ts';
import type { ParsedMail } from '../parsing/parsed-mail.ts';
import { checkSender } from './check-sender.ts';
import { deliverPrepared } from './deliver-mail.ts';
import { type HeaderField, headerFields } from './header-fields.ts';
import { type Destination, findDestination, prepareParsed } from './prepare-delivery.ts';
import { readSenderCheck } from './sender-check.ts';

/** How the mail is judged that a mail server hands over. */
export interface ReceivingRules {
  /** The header field in which the server marks spam with `YES`, in lower case. */
  spamHeader: string;
  /** The hosts whose `Authentication-Results` are believed, in lower case. */
  trustedHosts: readonly string[];
  /** The DNS servers that are asked about other senders; none: those of the system. Null: other senders are not checked. */
  dnsServers: readonly string[] | null;
}

/** A message with its envelope. */
interface ReceivedMessage {
  raw: Uint8Array;
  sender: string;
  recipients: readonly string[];
}

/** What became of a message for one recipient. */
export type Receipt =
  | { status: 'delivered' | 'already_delivered' | 'unknown_mailbox' }
  /** The message cannot be delivered, now or later. */
  | { status: 'refused'; reason: string }
  /** It can be delivered later. */
  | { status: 'unavailable' };

/** Messages that are delivered at once. The others wait, with their servers, and the firms take turns. */
const receiving = new FairSemaphore(4);

/** A message that passed more servers is in a loop. */
const MAX_RECEIVED = 100;

/** The fields that decide what is shown of a message, of which it has one (RFC 5322 §3.6, RFC 2045 §3). */
const SHOWN_ONCE = ['from', 'reply-to', 'subject', 'date', 'content-type', 'content-transfer-encoding'];

/** Returns whether mail to the address goes to a mailbox. */
export async function hasMailbox(services: Services, address: string): Promise<boolean> {
  return (await findDestination(newContext(services), address)) !== null;
}

/**
 * Delivers a message that a mail server hands over, with the sender of its envelope, to each of its recipients. Returns what became of it, in their order: `delivered` after it is
 * committed. Delivering it again changes nothing.
 */
export async function receiveMail(
  services: Services,
  message: ReceivedMessage,
  rules: ReceivingRules,
): Promise<Receipt[]> {
  const destinations: (Destination | null)[] = [];
  for (const recipient of message.recipients)
    destinations.push(await findDestination(newContext(services), recipient));
  const queue = String(destinations.find((destination) => destination)?.mailbox.workspaceId);
  return receiving.run(queue, () => receiveInTurn(services, queue, message, destinations, rules));
}

async function receiveInTurn(
  services: Services,
  queue: string,
  { raw, sender }: ReceivedMessage,
  destinations: readonly (Destination | null)[],
  rules: ReceivingRules,
): Promise<Receipt[]> {
  const fields = headerFields(raw);
  const refuse = (reason: string) => destinations.map((): Receipt => ({ status: 'refused', reason }));
  if (fields.filter(({ name }) => name === 'received').length > MAX_RECEIVED)
    return refuse(`The message has passed more than ${MAX_RECEIVED} servers, which is a loop.`);
  let mail: ParsedMail;
  try {
    mail = await parseMail(queue, raw);
    // Mail about mail (RFC 5321 §4.5.5).
    if (sender === '') mail.isAutomatic = true;
  } catch (error) {
    if (error instanceof UnreadableMailError) return refuse(`The message ${error.message}.`);
    services.log.error({ err: error }, 'a received message was not parsed');
    return destinations.map((): Receipt => ({ status: 'unavailable' }));
  }
  const about = {
    mail,
    folder: isSpam(fields, rules) ? ('spam' as const) : ('inbox' as const),
    senderCheck: await senderCheckOf(services, queue, { raw, sender, fields, from: mail.from.email }, rules),
  };
  const receipts: Receipt[] = [];
  for (const destination of destinations) receipts.push(await deliverTo(services, destination, about));
  return receipts;
}

/**
 * A trusted host that has checked the sender is believed; otherwise we check it. A field that is there twice verifies nobody: a signature can be about the
 * one that is not shown (RFC 6376 §8.15).
 */
async function senderCheckOf(
  { log }: Services,
  queue: string,
  { from, ...message }: { raw: Uint8Array; sender: string; fields: readonly HeaderField[]; from: string },
  { trustedHosts, dnsServers }: ReceivingRules,
): Promise<SenderCheck | null> {
  const known = readSenderCheck(message.fields, trustedHosts, from);
  if (known === null && dnsServers === null) return null;
  const check =
    known ?? (await checkSender(queue, message, from, { trustedHosts, dnsServers: dnsServers! }, log));
  const names = message.fields.map(({ name }) => name);
  const isAmbiguous = SHOWN_ONCE.some((name) => names.indexOf(name) !== names.lastIndexOf(name));
  return check.status === 'verified' && isAmbiguous ? { ...check, status: 'unverified' } : check;
}

async function deliverTo(
  services: Services,
  destination: Destination | null,
  about: { mail: ParsedMail; folder: 'inbox' | 'spam'; senderCheck: SenderCheck | null },
): Promise<Receipt> {
  if (!destination) return { status: 'unknown_mailbox' };
  try {
    const prepared = await prepareParsed(newContext(services), { ...about, ...destination });
    const { status } = await withTransaction(services, (inside) => deliverPrepared(inside, prepared));
    return { status };
  } catch (error) {
    // The mailbox was deleted meanwhile.
    if (error instanceof ApiError && error.apiCode === 'resource_not_found')
      return { status: 'unknown_mailbox' };
    services.log.error({ err: error }, 'a received message was not delivered');
    return { status: 'unavailable' };
  }
}

function isSpam(fields: readonly HeaderField[], { spamHeader }: ReceivingRules): boolean {
  return fields.some(({ name, value }) => name === spamHeader && /^yes\b/i.test(value));
}
