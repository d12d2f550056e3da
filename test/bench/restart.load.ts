import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Client, Tally } from '../faults/client.ts';
import { Viewer } from '../faults/viewers.ts';

/** The parameters of the load. */
export interface LoadParameters {
  urls: string[];
  token: string;
  tickets: string[];
  /** The mailbox in which drafts are saved. */
  mailbox: number;
  sockets: number;
  callsPerSecond: number;
}

/** A reply that every viewer of its ticket must receive. */
export interface ExpectedReply {
  id: string;
  ticket: string;
}

/** The result of the load. */
export interface LoadResult {
  calls: number;
  seconds: number;
  /** Calls that had to be sent again, by reason. */
  sentAgain: Record<string, number>;
  wrong: string[];
  longestMs: number;
  /** The complete replies that each viewer assembled. */
  seen: [id: string, text: string][];
  /** Events that did not continue a viewer's text. */
  faults: string[];
}

const CALLERS = 100;
/** One of this many calls saves a draft; the others read. */
const CALLS_PER_WRITE = 10;
/** Below the gateway's limit of sockets per address. */
const SOCKETS_PER_ADDRESS = 90;
/** How long to wait for replies that were not seen yet. */
const SEEN_MS = 30_000;

const [parameters] = (await once(process, 'message')) as [LoadParameters];
const { urls, token, tickets, sockets } = parameters;

const viewers: { viewer: Viewer; ticket: string }[] = [];
for (let n = 0; n < sockets; n++) {
  const ticket = tickets[n % tickets.length]!;
  const localAddress = `127.0.0.${2 + Math.floor(n / SOCKETS_PER_ADDRESS)}`;
  viewers.push({ ticket, viewer: new Viewer({ urls, token, ticket, localAddress, first: n }) });
  // Connect in groups: connecting is not measured.
  if (n % 50 === 49) await until(({ isFollowing }) => isFollowing);
}
const tally = new Tally();
// After its first event, a viewer has a position to resume from.
const setup = new Client(urls, 0, () => tally);
for (const ticket of tickets) {
  await setup.call({ target: 'tickets.addNote', token, body: { ticket, body: 'Hello.' } });
}
await until(({ hasBegun }) => hasBegun);
let calls = 0;
const stopping = new AbortController();
const began = performance.now();
const calling = Array.from({ length: CALLERS }, (_, n) => call(new Client(urls, n, () => tally)));
process.send!('ready');

const [due] = (await once(process, 'message')) as [ExpectedReply[]];
stopping.abort();
await Promise.all(calling);
const seconds = (performance.now() - began) / 1_000;
const deadline = performance.now() + SEEN_MS;
const isSeen = ({ id, ticket }: ExpectedReply) =>
  viewers.every(({ viewer, ticket: followed }) => followed !== ticket || viewer.seen.has(id));
while (!due.every(isSeen) && performance.now() < deadline) await setTimeout(200);
const loaded: LoadResult = {
  calls,
  seconds,
  sentAgain: Object.fromEntries(tally.errors),
  wrong: tally.wrong,
  longestMs: tally.longestMs,
  seen: viewers.flatMap(({ viewer }) => [...viewer.seen]),
  faults: viewers.flatMap(({ viewer }) => viewer.errors),
};
process.send!(loaded, () => process.exit(0));

async function until(condition: (viewer: Viewer) => boolean): Promise<void> {
  while (!viewers.every(({ viewer }) => condition(viewer))) await setTimeout(20);
}

/** Calls at a constant rate, one call at a time. A slow answer lowers the rate; it is not raised afterwards. */
async function call(client: Client): Promise<void> {
  const pauseMs = (1_000 * CALLERS) / parameters.callsPerSecond;
  let draft: string | undefined;
  for (let n = 1; !stopping.signal.aborted; n++) {
    const pause = setTimeout(pauseMs);
    if (n % CALLS_PER_WRITE > 0) await client.call({ target: 'GET /v1/ping', token });
    else {
      const body = {
        address_id: parameters.mailbox,
        subject: randomUUID(),
        ...(draft && { draft_id: draft }),
      };
      const saved = await client.call({ target: 'POST /v1/me/mail/drafts', token, body });
      draft = saved?.id;
    }
    calls++;
    await pause;
  }
}
