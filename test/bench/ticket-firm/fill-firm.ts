import { newId } from '@firmdesk/domain';
import type { Client } from 'pg';
import { FOLDING } from '../../../packages/domain/src/platform/search/search-text.ts';
import { ticketSearchText } from '../../../packages/domain/src/tickets/search/search-text.ts';
import { say } from '../report.ts';
import { copyIn, copyLine } from './copy-in.ts';
import { type Conversation, MESSAGES_PER_TICKET, messageRows } from './message-rows.ts';
import { PostingsCollector } from './postings-collector.ts';
import { randomFrom, Vocabulary } from './vocabulary.ts';

export const FIRM_ID = 100;
const VOCABULARY = 150_000;
const TEAMS = 8;
const TAGS = 20;
const DAY_MS = 86_400_000;
const YEARS_MS = 2 * 365 * DAY_MS;
const PROGRESS_MS = 10_000;
/** A firm that is filled. Its teams and tags have the numbers from `firstId` on. */
export interface FilledFirm {
  id: number;
  slug: string;
  name: string;
  firstId: number;
  tickets: number;
}

/** Fills one firm, whose tickets are all that the database has. The tables should have no indexes. */
export async function fillFirm(client: Client, ticketCount: number): Promise<void> {
  const firm = { id: FIRM_ID, slug: 'bench', name: 'Bench', firstId: 1, tickets: ticketCount };
  await fillFirms(client, [firm], VOCABULARY);
}

/**
 * Fills firms with tickets of two years, one in ten not ended, with ten messages each. All texts are of the same number of words. In the
 * transaction that empties the tables, rows are written without a log. The tables should have no indexes.
 */
export async function fillFirms(client: Client, firms: readonly FilledFirm[], words: number): Promise<void> {
  const total = firms.reduce((sum, { tickets }) => sum + tickets, 0);
  const random = randomFrom(total);
  const vocabulary = new Vocabulary(random, words);
  const onMessages = progressOf(total * MESSAGES_PER_TICKET);
  await client.query('begin');
  await client.query('truncate tickets, ticket_messages, ticket_tags, search_words, search_postings cascade');
  let before = 0;
  for (const firm of firms) {
    await fill(client, firm, random, vocabulary, (messages) => onMessages(before + messages));
    before += firm.tickets * MESSAGES_PER_TICKET;
  }
  await client.query('commit');
}

async function fill(
  client: Client,
  firm: FilledFirm,
  random: () => number,
  vocabulary: Vocabulary,
  onMessages: (messages: number) => void,
): Promise<void> {
  const { firstId, tickets: ticketCount } = firm;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const start = Date.now() - YEARS_MS;
  const at = (time: number) => new Date(time).toISOString();
  const postings = new PostingsCollector();

  await client.query('insert into workspaces (id, slug, name, created_at) values ($1, $2, $3, now())', [
    firm.id,
    firm.slug,
    firm.name,
  ]);
  const traders = Array.from({ length: Math.max(50, ticketCount / 10) }, (_, i) => ({
    id: newId('user', new Date(start + i)),
    name: `${pick(vocabulary.words)} ${pick(vocabulary.words)}`,
    email: `trader${i}@${firm.slug}.example.com`,
  }));
  await copyIn(
    client,
    'copy users (id, email, name, created_at) from stdin',
    traders.map(({ id, email, name }) => copyLine([id, email, name, at(start)])),
  );
  await copyIn(
    client,
    'copy memberships (workspace_id, user_id, role, permissions, created_at) from stdin',
    traders.map(({ id }) => copyLine([firm.id, id, 'trader', '{}', at(start)])),
  );
  await client.query(
    `insert into teams (id, workspace_id, name, created_at)
     select i, $1, 'Team ' || i, now() from generate_series($2::integer, $2 + ${TEAMS - 1}) i`,
    [firm.id, firstId],
  );
  await client.query(
    `insert into tags (id, workspace_id, name, color, created_at)
     select i, $1, 'tag ' || i, '#2266aa', now() from generate_series($2::integer, $2 + ${TAGS - 1}) i`,
    [firm.id, firstId],
  );

  const tickets: Conversation[] = [];
  const numbers = new Set<string>();
  function* ticketLines() {
    for (let i = 0; i < ticketCount; i++) {
      const createdAt = start + Math.floor((i * YEARS_MS) / ticketCount);
      const lastMessageAt = createdAt + Math.floor(random() * 3 * DAY_MS);
      let id = newId('ticket', new Date(createdAt));
      while (numbers.has(id.slice(-6))) id = newId('ticket', new Date(createdAt));
      numbers.add(id.slice(-6));
      const isLive = random() < 0.1;
      const status = pick(isLive ? ['open', 'awaiting_admin', 'awaiting_trader'] : ['resolved', 'closed']);
      const trader = pick(traders);
      const subject = vocabulary.text(6);
      const searchText = ticketSearchText(subject, trader);
      tickets.push({ id, createdAt, lastMessageAt, searchText });
      yield copyLine([
        id,
        firm.id,
        trader.id,
        subject,
        status,
        pick(['urgent', 'high', 'normal', 'normal', 'normal', 'low']),
        random() < 0.3 ? traders[i % 50]!.id : null,
        random() < 0.5 ? firstId + (i % TEAMS) : null,
        'trader',
        at(lastMessageAt),
        at(lastMessageAt),
        at(createdAt),
        isLive ? null : at(lastMessageAt),
        searchText,
        i,
        false,
      ]);
    }
  }
  await copyIn(
    client,
    `copy tickets (id, workspace_id, trader_id, subject, status, priority, assignee_id, team_id, last_from,
      last_message_at, trader_wrote_at, created_at, closed_at, search_text, search_number, search_pending)
     from stdin (freeze)`,
    ticketLines(),
  );

  await copyIn(
    client,
    `copy ticket_messages (id, ticket_id, workspace_id, from_kind, author, body, read_at, created_at, search_text,
       search_pending)
     from stdin (freeze)`,
    messageRows(firm.id, tickets, vocabulary, postings, onMessages),
  );
  function* tagLines() {
    for (const { id } of tickets)
      if (random() < 0.4) yield copyLine([firm.id, id, firstId + Math.floor(random() * TAGS)]);
  }
  await copyIn(client, 'copy ticket_tags (workspace_id, ticket_id, tag_id) from stdin (freeze)', tagLines());
  await client.query('insert into search_progress values ($1, $2, $3)', [firm.id, ticketCount, FOLDING]);
  await copyIn(
    client,
    'copy search_words (workspace_id, key, word, postings) from stdin (freeze)',
    postings.wordLines(firm.id),
  );
  await copyIn(
    client,
    'copy search_postings (workspace_id, key, segment, tickets) from stdin (freeze)',
    postings.postingLines(firm.id),
  );
}

/** Returns a function that prints how many messages are copied, at most every ten seconds. */
function progressOf(total: number): (messages: number) => void {
  const started = performance.now();
  let said = started;
  return (messages) => {
    const now = performance.now();
    if (now - said < PROGRESS_MS) return;
    said = now;
    say(`  ${messages} of ${total} messages, ${Math.round((1_000 * messages) / (now - started))} a second`);
  };
}
