import type { ListTicketsInput, TicketPage, TicketSort } from '@firmdesk/contract';
import { ticketSorts } from '@firmdesk/contract';
import type { AccountContext } from '../../packages/domain/src/procedures/call-context.ts';
import { countGroups } from '../../packages/domain/src/tickets/list/count-tickets.ts';
import { listTickets } from '../../packages/domain/src/tickets/list/list-tickets.ts';
import { type BenchReport, type Figure, figure, median, percentile, say } from './report.ts';
import { FIRM_ID } from './ticket-firm/fill-firm.ts';
import { type Firm, openFirm } from './ticket-firm/open-firm.ts';
import { searchByIlike } from './ticket-firm/search-by-ilike.ts';
import { filterCases, queryClasses } from './ticket-firm/search-cases.ts';

const FEW_TICKETS = 2_000;
const MANY_TICKETS = 200_000;
const ROUNDS = 200;
const WARM_UP = 30;
/** How often each search is measured with each filter and sort, after one call that is not measured. */
const SEARCH_ROUNDS = 3;
const DEEP_PAGE = 500;
/** A search may take this time, or {@link MAX_RATIO} times the same list without a search. */
const MAX_SEARCH_MS = 100;
const MAX_RATIO = 5;
/** A firm in which a search without an index ends within a second or two. */
const MAX_TICKETS_TO_COMPARE = 200_000;

type Case = () => Promise<unknown>;

/** Measures the ticket list of a firm with 200,000 tickets, or another number, and ten times as many messages. */
export async function run({ size, data }: { size?: string; data?: string }): Promise<BenchReport> {
  const tickets = size === undefined ? MANY_TICKETS : Number(size);
  if (!Number.isSafeInteger(tickets) || tickets < FEW_TICKETS) {
    throw new Error(`--size must be an integer of at least ${FEW_TICKETS}.`);
  }
  await using firm = await openFirm(tickets, data);
  await using few = await openFirm(FEW_TICKETS, data);
  await using many = tickets > MANY_TICKETS ? await openFirm(MANY_TICKETS, data) : null;

  say('page');
  const page = await alternate({
    ours: () => list(firm, {}),
    few: () => list(few, {}),
    many: () => (many ? list(many, {}) : Promise.resolve()),
  });
  // Not in turn with the pages: it reads so many rows that the next statement finds the processor's caches empty.
  const { counts } = await alternate({ counts: () => countGroups(firm.services, FIRM_ID) });
  const depth: Record<string, { first: number[]; deep: number[] }> = {};
  for (const sort of ticketSorts) {
    say(`depth, ${sort}`);
    const cursor = await cursorAt(firm, sort, DEEP_PAGE);
    depth[sort] = await alternate({
      first: () => list(firm, { sort }),
      deep: () => list(firm, { sort, starting_after: cursor }),
    });
  }
  const searches = await measureSearches(firm);
  const over = (a: number[], b: number[]) => median(a) / median(b);
  return {
    bench: 'tickets',
    figures: [
      ...ticketSorts.map((sort) =>
        figure(
          `page ${DEEP_PAGE}, relative to page 1, ${sort}`,
          over(depth[sort]!.deep, depth[sort]!.first),
          '<= 1.1',
        ),
      ),
      figure(
        `a page of ${tickets} tickets, relative to one of ${FEW_TICKETS}`,
        over(page.ours, page.few),
        '<= 1.3',
      ),
      ...(many
        ? [
            figure(
              `a page of ${tickets} tickets, relative to one of ${MANY_TICKETS}`,
              over(page.ours, page.many),
              '<= 1.2',
            ),
          ]
        : []),
      figure('a page (ms)', median(page.ours)),
      figure('counts (ms)', median(counts), '<= 20'),
      ...searches.figures,
    ],
    raw: {
      tickets,
      rounds: ROUNDS,
      page_ms: page,
      counts_ms: counts,
      depth_ms: depth,
      searches: searches.raw,
    },
  };
}

/** Measures every kind of query with every filter and sort. */
async function measureSearches(firm: Firm): Promise<{ figures: Figure[]; raw: unknown }> {
  const cases = await filterCases(firm.pool);
  const plain = await inTurn(cases, (filter) => measure(() => list(firm, filter)));
  const plainMs = percentile(plain.flat(), 0.95);
  const figures: Figure[] = [
    figure('without a search, every filter and sort: p50 (ms)', median(plain.flat())),
    figure('without a search, every filter and sort: p95 (ms)', plainMs),
  ];
  const raw: unknown[] = [];
  const slow: string[] = [];
  for (const { name, queries } of await queryClasses(firm.pool)) {
    const times: number[] = [];
    for (const q of queries) {
      say(`search, ${name}: ${q}`);
      await compare(firm, q);
      for (const [i, filter] of cases.entries()) {
        const measured = await measure(() => list(firm, { ...filter, q }));
        times.push(...measured);
        const ms = median(measured);
        if (ms > limitOf(median(plain[i]!)))
          slow.push(
            `${JSON.stringify({ ...filter, q })}: ${ms.toFixed(0)} ms, plain ${median(plain[i]!).toFixed(0)} ms`,
          );
        raw.push({ name, q, ...filter, ms: measured, plain_ms: plain[i] });
      }
    }
    figures.push(
      figure(`search, ${name}: p50 (ms)`, median(times)),
      figure(`search, ${name}: p95 (ms)`, percentile(times, 0.95), `<= ${limitOf(plainMs)}`),
    );
  }
  for (const line of slow) say(`slow: ${line}`);
  figures.push(
    figure(
      `searches that take more than ${MAX_SEARCH_MS} ms and ${MAX_RATIO} × the list without a search (%)`,
      (100 * slow.length) / raw.length,
      '<= 5',
    ),
  );
  return { figures, raw };
}

/** Returns how long a search may take, if the same list takes `plainMs` without one. */
function limitOf(plainMs: number): number {
  return Math.round(Math.max(MAX_SEARCH_MS, MAX_RATIO * plainMs));
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function measure(work: Case): Promise<number[]> {
  await work();
  return inTurn(Array.from({ length: SEARCH_ROUNDS }), () => millisecondsOf(work));
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
    snoozed: 'all',
    sort: 'queue',
    limit: 20,
    ...over,
  });
}

/** Measures the cases in turn, so that other load on the machine affects all of them. Each round begins with another case. */
async function alternate<Name extends string>(cases: Record<Name, Case>): Promise<Record<Name, number[]>> {
  const names = Object.keys(cases) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    names.push(names.shift()!);
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

/** Asserts that a search without an index finds the same tickets, in a firm where it does not take minutes. */
async function compare(firm: Firm, q: string): Promise<void> {
  if (firm.tickets > MAX_TICKETS_TO_COMPARE) return;
  const ours = (await list(firm, { q })).data.map(({ id }) => id);
  const theirs = (await searchByIlike(firm.pool, FIRM_ID, q.split(' '))).map(({ id }) => id).slice(0, 20);
  if (ours.join() !== theirs.join()) throw new Error(`The searches for ${q} differ.`);
}
