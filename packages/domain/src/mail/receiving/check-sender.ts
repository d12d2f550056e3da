import type { SenderCheck } from '@firmdesk/contract';
import type { Log } from '../../platform/process/log.ts';
import { openThreads, TaskLimitError } from '../../platform/process/threads.ts';
import type { HeaderField } from './header-fields.ts';
import { checkOf, type MethodResult, withoutComments } from './sender-check.ts';

/** What the thread is asked. */
export interface SenderQuestion {
  raw: Uint8Array;
  /** That of the envelope; empty for mail that is returned. */
  sender: string;
  /** Whether the first `Received` field tells the address of the client. */
  trustReceived: boolean;
  /** The DNS servers to ask; none: those of the system. */
  servers: readonly string[];
}

/** What the thread has found out. */
export interface SenderResults {
  results: MethodResult[];
  /** The domain that vouches for the message as it arrived there (ARC), if its seal is valid. */
  sealer: string | null;
  /** The number of `From` fields. */
  senders: number;
}

const evaluate = openThreads<SenderQuestion, SenderResults>(
  new URL('./check-sender-worker.ts', import.meta.url),
  { threads: 4, heapMb: 256, deadlineMs: 6_000 },
);

const UNVERIFIED: SenderCheck = { status: 'unverified', via: null };

/**
 * Checks the sender of a message by SPF, DKIM, DMARC and ARC. What the DNS does not answer within seconds is as if it did not vouch for the sender, and
 * delays the message no longer. The check waits in a queue. SPF needs the address of the client, which the first `Received` field tells if a trusted host wrote it.
 */
export async function checkSender(
  queue: string,
  { raw, sender, fields }: { raw: Uint8Array; sender: string; fields: readonly HeaderField[] },
  from: string,
  { trustedHosts, dnsServers }: { trustedHosts: readonly string[]; dnsServers: readonly string[] },
  log: Log,
): Promise<SenderCheck> {
  const trustReceived = isWrittenBy(
    fields.find(({ name }) => name === 'received'),
    trustedHosts,
  );
  try {
    const found = await evaluate(queue, { raw, sender, trustReceived, servers: dnsServers });
    const { results, sealer, senders } = found;
    // Programs differ in which of several senders they show.
    if (senders !== 1) return UNVERIFIED;
    const check = checkOf(results, from);
    // A trusted host, such as that of a mailing list, has vouched for the message before it changed it.
    const isVouchedFor = check.status === 'failed' && sealer !== null && trustedHosts.includes(sealer);
    return isVouchedFor ? { status: 'unverified', via: sealer } : check;
  } catch (error) {
    if (!(error instanceof TaskLimitError)) log.error({ err: error }, 'a sender was not checked');
    return UNVERIFIED;
  }
}

/** Returns whether a trusted host has written a `Received` field, with the client from which it got the message. */
function isWrittenBy(received: HeaderField | undefined, trustedHosts: readonly string[]): boolean {
  const words = withoutComments(received?.value ?? '')
    .toLowerCase()
    .trim()
    .split(/[\s;]+/);
  return words[0] === 'from' && words[2] === 'by' && trustedHosts.includes(words[3] ?? '');
}
