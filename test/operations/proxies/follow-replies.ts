import { setTimeout } from 'node:timers/promises';
import type { Services } from '@firmdesk/domain';
import { createTicket, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { Client, Tally } from '../../faults/client.ts';
import { Viewer } from '../../faults/viewers.ts';

const TICKETS = 2;
const VIEWERS_PER_TICKET = 3;
const SEEN_MS = 60_000;

/** What the viewers received, and what became of the calls that asked for replies. */
export interface Followed {
  replies: number;
  /** The reasons for which calls were sent again. */
  sentAgain: string[];
  /** Unexpected answers, texts that differ from the stored ones, and events that did not continue a viewer's text. */
  faults: string[];
}

/**
 * Follows tickets through a proxy, each viewer from an address of its own, and asks the assistant for one reply after another.
 * `finish` waits for the replies in progress and compares the text of each viewer with the stored one.
 */
export async function followReplies(
  services: Services,
  url: string,
): Promise<{ finish(): Promise<Followed> }> {
  const firm = await createWorkspace(services);
  const agent = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  const trader = await createUser(services, { firm, role: 'trader' });
  const { text: token } = await createToken(services, { user: agent, workspace: firm.slug });
  const tally = new Tally();
  let isOver = false;

  async function follow(index: number): Promise<Viewer[]> {
    const ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin' });
    const viewers = Array.from({ length: VIEWERS_PER_TICKET }, (_, n) => {
      const localAddress = `127.0.0.${10 + index * VIEWERS_PER_TICKET + n}`;
      return new Viewer({ urls: [url], token, ticket, localAddress });
    });
    const everyViewer = async (condition: (viewer: Viewer) => boolean, otherwise: string) => {
      const end = performance.now() + SEEN_MS;
      while (!viewers.every(condition)) {
        if (performance.now() > end) throw new Error(`${otherwise} in ${ticket}.`);
        await setTimeout(20);
      }
    };
    const client = new Client([url], 0, () => tally);
    await everyViewer(({ isFollowing }) => isFollowing, 'Viewers are not subscribed');
    // After its first event, a viewer has a position to resume from.
    await client.call({ target: 'tickets.addNote', token, body: { ticket, body: 'Hello.' } });
    await everyViewer(({ hasBegun }) => hasBegun, 'Viewers did not receive the note');
    asking.push(
      (async () => {
        for (let asked = 1; !isOver; asked++) {
          const body = { instruction: 'Say hello.' };
          await client.call({ target: `POST /v1/admin/tickets/${ticket}/ai`, token, body });
          await everyViewer(({ seen }) => seen.size >= asked, `Viewers did not receive reply ${asked}`);
        }
      })(),
    );
    return viewers;
  }

  const asking: Promise<void>[] = [];
  const viewers = (await Promise.all(Array.from({ length: TICKETS }, (_, n) => follow(n)))).flat();
  return {
    async finish() {
      isOver = true;
      const ended = await Promise.allSettled(asking);
      for (const viewer of viewers) viewer[Symbol.dispose]();
      const rows = await services.pool.query<{ id: string; text: string }>(
        `select id, body as text from ticket_messages where workspace_id = $1 and from_kind = 'ai'`,
        [firm.id],
      );
      const stored = new Map(rows.rows.map(({ id, text }) => [id, text]));
      const faults = [...tally.wrong, ...viewers.flatMap(({ errors }) => errors)];
      for (const each of ended) if (each.status === 'rejected') faults.push(String(each.reason));
      for (const [id, text] of viewers.flatMap(({ seen }) => [...seen]))
        if (stored.get(id) !== text) faults.push(`the text of ${id} is not the stored one: ${text}`);
      return { replies: stored.size, sentAgain: [...tally.errors.keys()], faults };
    },
  };
}
