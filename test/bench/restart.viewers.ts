import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Client, Tally } from '../faults/client.ts';
import { Viewer } from '../faults/viewers.ts';

/** The parameters of the viewers. */
export interface ViewerParameters {
  urls: string[];
  token: string;
  tickets: string[];
  sockets: number;
}

/** A reply that every viewer of its ticket must receive. */
export interface ExpectedReply {
  id: string;
  ticket: string;
}

/** What the viewers received. */
export interface ViewerResult {
  /** The complete replies that each viewer assembled. */
  seen: [id: string, text: string][];
  /** Events that did not continue a viewer's text. */
  faults: string[];
}

/** Below the gateway's limit of sockets per address. */
const SOCKETS_PER_ADDRESS = 90;
/** How long to wait for replies that were not seen yet. */
const SEEN_MS = 30_000;

const [parameters] = (await once(process, 'message')) as [ViewerParameters];
const { urls, token, tickets, sockets } = parameters;

const viewers: { viewer: Viewer; ticket: string }[] = [];
for (let n = 0; n < sockets; n++) {
  const ticket = tickets[n % tickets.length]!;
  const localAddress = `127.0.0.${2 + Math.floor(n / SOCKETS_PER_ADDRESS)}`;
  viewers.push({ ticket, viewer: new Viewer({ urls, token, ticket, localAddress, first: n }) });
  // Connect in groups: connecting is not measured.
  if (n % 50 === 49) await until(({ isFollowing }) => isFollowing);
}
// After its first event, a viewer has a position to resume from.
const setup = new Client(urls, 0, () => new Tally());
for (const ticket of tickets) {
  await setup.call({ target: 'tickets.addNote', token, body: { ticket, body: 'Hello.' } });
}
await until(({ hasBegun }) => hasBegun);
process.send!('ready');

const [due] = (await once(process, 'message')) as [ExpectedReply[]];
const deadline = performance.now() + SEEN_MS;
const isSeen = ({ id, ticket }: ExpectedReply) =>
  viewers.every(({ viewer, ticket: followed }) => followed !== ticket || viewer.seen.has(id));
while (!due.every(isSeen) && performance.now() < deadline) await setTimeout(200);
const received: ViewerResult = {
  seen: viewers.flatMap(({ viewer }) => [...viewer.seen]),
  faults: viewers.flatMap(({ viewer }) => viewer.errors),
};
process.send!(received, () => process.exit(0));

async function until(condition: (viewer: Viewer) => boolean): Promise<void> {
  while (!viewers.every(({ viewer }) => condition(viewer))) await setTimeout(20);
}
