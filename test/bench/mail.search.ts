import { parseMailSearch } from '@firmdesk/contract';
import { indexPendingTexts, type Services } from '@firmdesk/domain';
import type { WorkspaceRef } from '@firmdesk/domain/testing';
import type { TestMailbox, TestUser } from '@firmdesk/testing';
import { searchMessages } from '../../packages/domain/src/mail/search/search-messages.ts';
import { newContext } from '../../packages/domain/src/platform/database/transaction.ts';
import type { AccountContext } from '../../packages/domain/src/procedures/call-context.ts';
import { say } from './report.ts';
import { randomFrom, Vocabulary } from './ticket-firm/vocabulary.ts';

const BATCH = 5_000;
const WORDS = 80;
const ROUNDS = 5;
const PAGE = 51;

/** Fills mailboxes with messages, the newest first, and indexes them. */
export async function fillMailboxes(
  services: Services,
  { firm, mailboxes }: { firm: WorkspaceRef; mailboxes: readonly TestMailbox[] },
  messages: number,
): Promise<Vocabulary> {
  const vocabulary = new Vocabulary(randomFrom(7), 50_000);
  const random = randomFrom(11);
  await services.pool.query(
    'insert into mail_threads (workspace_id, mailbox_id, created_at) values ($1, $2, now())',
    [firm.id, mailboxes[0]!.id],
  );
  for (let from = 0; from < messages; from += BATCH) {
    const texts = Array.from({ length: Math.min(BATCH, messages - from) }, (_, i) => {
      const person = Math.floor(random() * 2_000);
      const text = vocabulary.text(WORDS);
      // Only old messages have this word.
      const ancient = from + i > messages * 0.7 ? ' ancient' : '';
      return `person ${person} p${person}@elsewhere.example\ndesk desk@example.com\n${text.slice(0, 40)}\n\n${text}${ancient}`;
    });
    await services.pool.query(
      `insert into mail_messages (workspace_id, id, mailbox_id, thread_id, folder, from_email, to_recipients, cc_recipients, bcc_recipients, subject,
         body, snippet, is_read, message_at, attachments, search_text, created_at)
       select $1, 'msg_' || lpad((n + $3)::text, 26, '0'), ($4::integer[])[1 + n % array_length($4::integer[], 1)],
         (select max(id) from mail_threads where workspace_id = $1),
         (array['inbox', 'inbox', 'inbox', 'archive', 'archive', 'sent', 'trash', 'spam'])[1 + n / 7 % 8], 'p@elsewhere.example', '[]', '[]', '[]',
         split_part(t, chr(10), 3), '<p>' || t || '</p>', left(t, 100), n % 12 <> 0, now() - make_interval(secs => 60 * (n + $3)),
         case when n % 9 = 0 then '[{}]'::jsonb else '[]' end, t, now()
       from unnest($2::text[]) with ordinality as texts (t, n)`,
      [firm.id, texts, from, mailboxes.map(({ id }) => id)],
    );
    if (from % (BATCH * 20) === 0) say(`filled ${from} of ${messages}`);
  }
  await indexPendingTexts(services, {});
  // Otherwise the server does so while it is measured.
  await services.pool.query('vacuum analyze mail_messages, mail_search_words, mail_search_postings');
  return vocabulary;
}

/** Searches, by what they are about. */
export function searchesOf({ words }: Vocabulary): Record<string, string[]> {
  const [common, frequent, rare] = [words[0]!, words[60]!, words[20_000]!];
  return {
    common: [common, `${common} ${words[1]}`, `${common} ${words[2]} ${words[3]}`],
    frequent: [frequent, `${frequent} ${words[61]}`, `${frequent} ${common}`],
    rare: [rare, `${rare} ${common}`, 'nowhereatall'],
    'only in old mail': ['ancient', `ancient ${frequent}`],
    phrase: [`"${common} ${words[1]}"`, `"person 17"`, `"${frequent} ${rare}"`],
    from: ['from:p17@elsewhere.example', `from:person ${common}`, `from:p1 ${frequent}`],
    filters: [
      'is:unread',
      'has:attachment',
      'in:sent',
      `is:unread ${common}`,
      `has:attachment ancient`,
      `in:spam ${frequent}`,
      'before:2020-01-01',
    ],
  };
}

/** Returns the milliseconds of each search, after one that is not measured. */
export async function measureSearches(
  services: Services,
  { firm, user, mailboxes }: { firm: WorkspaceRef; user: TestUser; mailboxes: readonly TestMailbox[] },
  searches: Record<string, string[]>,
): Promise<Record<string, Record<string, number[]>>> {
  const context = {
    ...newContext(services),
    workspace: firm,
    identity: { user: { id: user.id, timezone: 'UTC' } },
  } as unknown as AccountContext;
  const request = {
    mailboxes: mailboxes.map(({ id }) => id),
    folder: undefined,
    unread: false,
    after: null,
    rows: PAGE,
  };
  const measured: Record<string, Record<string, number[]>> = {};
  for (const [kind, queries] of Object.entries(searches)) {
    measured[kind] = {};
    for (const q of queries) {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const started = performance.now();
        await searchMessages(context, { ...request, search: parseMailSearch(q) });
        if (round > 0) times.push(performance.now() - started);
      }
      measured[kind][q] = times.map((time) => Math.round(time * 10) / 10);
    }
  }
  return measured;
}
