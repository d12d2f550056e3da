import { newId } from '@firmdesk/domain';
import type { Client } from 'pg';
import { fold, ticketSearchText } from '../../../packages/domain/src/tickets/search-text.ts';
import { copyIn, copyLine } from './copy-in.ts';
import { randomFrom, Vocabulary } from './vocabulary.ts';

export const FIRM_ID = 100;
const MESSAGES_PER_TICKET = 10;
const WORDS_PER_MESSAGE = 25;
const VOCABULARY = 150_000;
const DAY_MS = 86_400_000;
const YEARS_MS = 2 * 365 * DAY_MS;
/** Concurrent conversations, whose messages are interleaved as in practice. */
const CONCURRENT = 400;

interface Ticket {
  id: string;
  createdAt: number;
  lastMessageAt: number;
}

/** Fills a firm with tickets of two years, one in ten not ended, with ten messages each. The caller creates the indexes afterwards. */
export async function fillFirm(client: Client, ticketCount: number): Promise<void> {
  const random = randomFrom(ticketCount);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const vocabulary = new Vocabulary(random, VOCABULARY);
  const start = Date.now() - YEARS_MS;
  const at = (time: number) => new Date(time).toISOString();
  const seen = new Set<string>();
  const collectWords = (text: string) => {
    for (const word of text.split(' ')) seen.add(word);
  };

  await client.query(
    `insert into workspaces (id, slug, name, created_at) values ($1, 'bench', 'Bench', now());`,
    [FIRM_ID],
  );
  const traders = Array.from({ length: Math.max(50, ticketCount / 10) }, (_, i) => ({
    id: newId('user', new Date(start + i)),
    name: `${pick(vocabulary.words)} ${pick(vocabulary.words)}`,
    email: `trader${i}@example.com`,
  }));
  await copyIn(
    client,
    'copy users (id, email, name, created_at) from stdin',
    traders.map(({ id, email, name }) => copyLine([id, email, name, at(start)])),
  );
  await client.query(
    `insert into teams (id, workspace_id, name, created_at) select i, $1, 'Team ' || i, now() from generate_series(1, 8) i`,
    [FIRM_ID],
  );
  await client.query(
    `insert into tags (id, workspace_id, name, color, created_at)
     select i, $1, 'tag ' || i, '#2266aa', now() from generate_series(1, 20) i`,
    [FIRM_ID],
  );

  const tickets: Ticket[] = [];
  const numbers = new Set<string>();
  function* ticketLines() {
    for (let i = 0; i < ticketCount; i++) {
      const createdAt = start + Math.floor((i * YEARS_MS) / ticketCount);
      const lastMessageAt = createdAt + Math.floor(random() * 3 * DAY_MS);
      let id = newId('ticket', new Date(createdAt));
      while (numbers.has(id.slice(-6))) id = newId('ticket', new Date(createdAt));
      numbers.add(id.slice(-6));
      tickets.push({ id, createdAt, lastMessageAt });
      const isLive = random() < 0.1;
      const status = pick(isLive ? ['open', 'awaiting_admin', 'awaiting_trader'] : ['resolved', 'closed']);
      const trader = pick(traders);
      const subject = vocabulary.text(6);
      const searchText = ticketSearchText(subject, trader);
      collectWords(searchText);
      yield copyLine([
        id,
        FIRM_ID,
        trader.id,
        subject,
        status,
        pick(['urgent', 'high', 'normal', 'normal', 'normal', 'low']),
        random() < 0.3 ? traders[i % 50]!.id : null,
        random() < 0.5 ? 1 + (i % 8) : null,
        'trader',
        at(lastMessageAt),
        at(lastMessageAt),
        at(createdAt),
        isLive ? null : at(lastMessageAt),
        searchText,
      ]);
    }
  }
  await copyIn(
    client,
    `copy tickets (id, workspace_id, trader_id, subject, status, priority, assignee_id, team_id, last_from,
      last_message_at, trader_wrote_at, created_at, closed_at, search_text) from stdin`,
    ticketLines(),
  );

  function* messageLines() {
    for (let from = 0; from < tickets.length; from += CONCURRENT) {
      for (let n = 0; n < MESSAGES_PER_TICKET; n++) {
        for (const { id, createdAt, lastMessageAt } of tickets.slice(from, from + CONCURRENT)) {
          const time = createdAt + Math.floor(((lastMessageAt - createdAt) * n) / (MESSAGES_PER_TICKET - 1));
          const words = vocabulary.text(WORDS_PER_MESSAGE);
          const body = `${words[0]!.toUpperCase()}${words.slice(1)}`;
          const searchText = fold(body);
          collectWords(searchText);
          yield copyLine([
            newId('ticketMessage', new Date(time)),
            id,
            FIRM_ID,
            n % 2 ? 'admin' : 'trader',
            'Robin',
            body,
            at(time),
            at(time),
            searchText,
          ]);
        }
      }
    }
  }
  await copyIn(
    client,
    `copy ticket_messages (id, ticket_id, workspace_id, from_kind, author, body, read_at, created_at, search_text)
     from stdin`,
    messageLines(),
  );
  function* tagLines() {
    for (const { id } of tickets)
      if (random() < 0.4) yield copyLine([FIRM_ID, id, 1 + Math.floor(random() * 20)]);
  }
  await copyIn(client, 'copy ticket_tags (workspace_id, ticket_id, tag_id) from stdin', tagLines());
  // The values that the triggers would write.
  await client.query('create temp table words (word text)');
  await copyIn(
    client,
    'copy words from stdin',
    [...seen].map((word) => copyLine([word])),
  );
  await client.query(
    `insert into search_words (workspace_id, key, word) select $1, hashtextextended(word, $1::integer), word from words`,
    [FIRM_ID],
  );
}
