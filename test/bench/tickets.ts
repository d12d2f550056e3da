import type { ListTicketsInput, TicketPage, TicketSort } from '@firmdesk/contract';
import { ticketSorts } from '@firmdesk/contract';
import type { AccountContext } from '../../packages/domain/src/procedures/call-context.ts';
import { listTickets } from '../../packages/domain/src/tickets/list-tickets.ts';
import { type BenchReport, figure, median, say } from './report.ts';
import { FIRM_ID } from './ticket-firm/fill-firm.ts';
import { type Firm, openFirm } from './ticket-firm/open-firm.ts';
import { pageByHand, searchByIlike } from './ticket-firm/rivals.ts';

const TICKETS = 200_000;
const FEW_TICKETS = 2_000;
const ROUNDS = 200;
const WARM_UP = 30;
const ILIKE_ROUNDS = 3;
const DEEP_PAGE = 500;

type Case = () => Promise<unknown>;

/** Measures the ticket list of a firm with 200,000 tickets and 2,000,000 messages. */
export async function run(): Promise<BenchReport> {
  await using firm = await openFirm(TICKETS);
  await using small = await openFirm(FEW_TICKETS);
  const plain = () => list(firm, {});

  say('page');
  const page = await alternate({
    ours: plain,
    hand: () => pageByHand(firm.pool, FIRM_ID),
    small: () => list(small, {}),
  });
  const depth: Record<string, { first: number[]; deep: number[] }> = {};
  for (const sort of ticketSorts) {
    say(`depth, ${sort}`);
    const cursor = await cursorAt(firm, sort, DEEP_PAGE);
    depth[sort] = await alternate({
      first: () => list(firm, { sort }),
      deep: () => list(firm, { sort, starting_after: cursor }),
    });
  }
  const searches: Record<string, Search> = {};
  for (const [name, words] of Object.entries(await wordsOf(firm))) {
    say(`search, ${name}: ${words.join(' ')}`);
    const q = words.join(' ');
    const times = await alternate({ ours: () => list(firm, { q }), plain });
    const ilike: number[] = [];
    for (let i = 0; i < ILIKE_ROUNDS; i++) {
      ilike.push(await millisecondsOf(() => searchByIlike(firm.pool, FIRM_ID, words)));
    }
    await compare(firm, words);
    searches[name] = { words, ours: times.ours, plain: times.plain, ilike };
  }
  const over = (a: number[], b: number[]) => median(a) / median(b);
  const goal: Record<string, string> = { rare: '<= 5', common: '<= 5' };
  return {
    bench: 'tickets',
    figures: [
      figure('a page, relative to a hand-written query', over(page.ours, page.hand), '<= 1.5'),
      ...ticketSorts.map((sort) =>
        figure(
          `page ${DEEP_PAGE}, relative to page 1, ${sort}`,
          over(depth[sort]!.deep, depth[sort]!.first),
          '<= 1.2',
        ),
      ),
      figure('a page of 200,000 tickets, relative to one of 2,000', over(page.ours, page.small), '<= 1.3'),
      ...Object.entries(searches).flatMap(([name, { ours, plain, ilike }]) => [
        figure(
          `two words, ${name}, relative to a page without a search`,
          over(ours, plain),
          goal[name] ?? null,
        ),
        figure(`two words, ${name}: speed relative to ILIKE`, over(ilike, ours)),
      ]),
      figure('a page (ms)', median(page.ours)),
    ],
    raw: { rounds: ROUNDS, page_ms: page, depth_ms: depth, searches_ms: searches },
  };
}

interface Search {
  words: string[];
  ours: number[];
  plain: number[];
  ilike: number[];
}

function list(firm: Firm, over: Partial<ListTicketsInput>): Promise<TicketPage> {
  const ctx = {
    services: firm.services,
    workspace: { id: FIRM_ID },
    identity: { user: { id: 'usr_bench' } },
  };
  return listTickets(ctx as AccountContext, {
    status: 'all',
    assignee: 'anyone',
    team: 'any',
    priority: 'all',
    tag: 'all',
    sort: 'queue',
    limit: 20,
    ...over,
  });
}

/** Measures the cases in turn, so that other load on the machine affects all of them. */
async function alternate<Name extends string>(cases: Record<Name, Case>): Promise<Record<Name, number[]>> {
  const names = Object.keys(cases) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const name of names) {
      const time = await millisecondsOf(cases[name]);
      if (round >= 0) times[name].push(time);
    }
  }
  return times;
}

async function millisecondsOf(work: Case): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Returns the cursor of a page. */
async function cursorAt(firm: Firm, sort: TicketSort, page: number): Promise<string> {
  let cursor: string | undefined;
  for (let at = 1; at < page; at++) {
    const { meta } = await list(firm, { sort, ...(cursor && { starting_after: cursor }) });
    cursor = meta.next_cursor!;
  }
  return cursor!;
}

/** Returns pairs of words: rare ones of one ticket, the most common, one of each, medium ones, and unknown ones. */
async function wordsOf({ pool }: Firm): Promise<Record<string, string[]>> {
  const { rows } = await pool.query<{ word: string; messages: number }>(`
    select word, count(*)::int as messages
    from (select unnest(string_to_array(search_text, ' ')) as word from ticket_messages tablesample system (5)) w
    where length(word) > 3 group by word order by 2 desc, 1`);
  const common = [rows[0]!.word, rows[1]!.word];
  const { rows: pairs } = await pool.query<{ words: string[] }>(
    `select array[a.word, b.word] as words
     from (select ticket_id, unnest(string_to_array(search_text, ' ')) as word
       from ticket_messages tablesample system (0.5)) a
     join ticket_messages m on m.ticket_id = a.ticket_id
     cross join lateral (select unnest(string_to_array(m.search_text, ' ')) as word) b
     where a.word < b.word and length(a.word) > 8 and length(b.word) > 8
       and not a.word = any($1) and not b.word = any($1) order by 1 limit 1`,
    [rows.map(({ word }) => word)],
  );
  const rare = pairs[0]!.words;
  const medium = [rows[1500]!.word, rows[1501]!.word];
  return { rare, common, mixed: [rare[0]!, common[0]!], medium, 'no match': ['qqxzqqx', 'vvwqzzy'] };
}

/** Asserts that both searches find the same tickets. */
async function compare(firm: Firm, words: string[]): Promise<void> {
  const ours = (await list(firm, { q: words.join(' ') })).data.map(({ id }) => id);
  const theirs = (await searchByIlike(firm.pool, FIRM_ID, words)).map(({ id }) => id).slice(0, 20);
  if (ours.join() !== theirs.join()) throw new Error(`The searches for ${words.join(' ')} differ.`);
}
