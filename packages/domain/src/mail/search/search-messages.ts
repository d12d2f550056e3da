import type { Folder, MailListRow, MailSearch } from '@firmdesk/contract';
import { runSearch } from '../../platform/search/run-search.ts';
import type { Bind } from '../../platform/search/search-index.ts';
import { type PendingRow, type SearchPlan, searchRecords } from '../../platform/search/search-records.ts';
import { containing } from '../../platform/search/search-text.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { type ListedRow, listedColumns, messageAtOf, toListRow } from '../messages/mail-message-row.ts';
import { mailIndex } from './mail-texts.ts';
import { filterConditions, foldersOf, textConditions, wordsOf } from './search-conditions.ts';

interface SearchRequest {
  search: MailSearch;
  /** The mailboxes that are searched. */
  mailboxes: readonly number[];
  /** By default all folders. */
  folder: Folder | undefined;
  unread: boolean;
  /** The position of the row before the page. */
  after: { messageAt: string; id: string } | null;
  /** The number of rows. */
  rows: number;
}

/** Returns the newest messages that match a search. Throws as {@link runSearch}. */
export async function searchMessages(ctx: AccountContext, request: SearchRequest): Promise<MailListRow[]> {
  const { services, workspace, identity } = ctx;
  const { search, mailboxes, folder } = request;
  const folders = foldersOf(search, folder);
  const isEmpty = search.filters.length === 0 && textConditions(search, String).length === 0;
  const words = wordsOf(search);
  if (mailboxes.length === 0 || folders.length === 0 || (isEmpty && words.length === 0)) return [];
  const about: Statement = { ...request, folders, timezone: identity.user.timezone };
  const found = await runSearch(services, identity.user.id, (searchPool) =>
    read({ searchPool }, workspace.id, about, words),
  );
  return found.map(toListRow);
}

interface Statement extends SearchRequest {
  folders: readonly Folder[];
  timezone: string;
}

async function read(
  services: Pick<Services, 'searchPool'>,
  workspaceId: number,
  about: Statement,
  words: readonly string[],
): Promise<ListedRow[]> {
  const run = async <Row extends object>(statement: (bind: Bind) => string) => {
    const values: unknown[] = [workspaceId];
    const text = statement((value) => `$${values.push(value)}`);
    return (await services.searchPool.query<Row>({ text, values })).rows;
  };
  const readPage = (plan: SearchPlan) => run<ListedRow>((bind) => pageStatement(about, plan, bind));
  if (words.length === 0)
    return readPage({ candidates: () => [], texts: () => [], limit: null, isListed: false });
  return searchRecords<ListedRow>(
    services,
    {
      index: mailIndex,
      readPending: (words) => readPending(services, workspaceId, words),
      containsWord: (word, bind) => `t.search_text like ${bind(containing(word))}`,
    },
    { workspaceId, words, rows: about.rows },
    {
      readPage,
      exceedsLimit: async (plan) =>
        (await run((bind) => `${selectCandidates(about, plan, bind)} limit 1 offset ${plan.limit}`)).length >
        0,
    },
  );
}

/** Returns the messages that contain a word and are not in the postings yet. */
async function readPending(
  { searchPool }: Pick<Services, 'searchPool'>,
  workspaceId: number,
  words: readonly string[],
): Promise<PendingRow[]> {
  const { rows } = await searchPool.query<PendingRow>({
    name: 'mail-search-pending',
    text: `
      select id, search_number as number, array(
        select search_text like pattern from unnest($2::text[]) with ordinality as p (pattern, position)
        order by position) as found
      from mail_messages where workspace_id = $1 and search_pending and search_text like any($2::text[])`,
    values: [workspaceId, words.map(containing)],
  });
  return rows;
}

const COLUMNS = listedColumns('t').join(', ');
const ORDER = 't.message_at desc, t.id desc';

function pageStatement(about: Statement, plan: SearchPlan, bind: Bind): string {
  const { rows } = about;
  const texts = [...textConditions(about.search, bind), ...plan.texts(bind)];
  const where = texts.length === 0 ? '' : `where ${texts.join(' and ')}`;
  const listed = (chosen: string) =>
    `select ${COLUMNS}, ${messageAtOf('t')} as message_at from (${chosen}) t order by ${ORDER} limit ${rows}`;
  if (plan.isListed) {
    // An index finds the candidates. Their texts are compared after they are sorted, until the page is full.
    const candidates = `
      select t.* from mail_messages t
      where ${conditionsOf(about, plan, bind).join(' and ')}
        and t.mailbox_id = any(${bind(about.mailboxes)}::integer[]) and t.folder = any(${bind(about.folders)}::text[])
      order by ${ORDER} offset 0`;
    return listed(`select t.* from (${candidates}) t ${where} limit ${rows}`);
  }
  if (plan.limit !== null) {
    const candidates = `${selectCandidates(about, plan, bind)} limit ${plan.limit}`;
    return listed(`select t.* from (${candidates}) t ${where} limit ${rows}`);
  }
  return listed(
    newestOf(about, plan, bind, (newest) => `select t.* from (${newest} offset 0) t ${where} limit ${rows}`),
  );
}

/** Selects the candidates of all folders, newest first, as far as the plan's limit needs. */
function selectCandidates(about: Statement, plan: SearchPlan, bind: Bind): string {
  const limit = (plan.limit ?? 0) + 1;
  const newest = newestOf(about, plan, bind, (newest) => `${newest} limit ${limit}`);
  return `select t.* from (${newest}) t order by ${ORDER}`;
}

/** Selects messages of each folder of each mailbox, which an index has in order. */
function newestOf(about: Statement, plan: SearchPlan, bind: Bind, of: (newest: string) => string): string {
  const conditions = conditionsOf(about, plan, bind).join(' and ');
  const newest = `
    select t.* from mail_messages t
    where ${conditions} and t.mailbox_id = box.mailbox_id and t.folder = each.folder order by ${ORDER}`;
  return `
    select t.* from unnest(${bind(about.mailboxes)}::integer[]) as box (mailbox_id)
    cross join unnest(${bind(about.folders)}::text[]) as each (folder)
    cross join lateral (${of(newest)}) t`;
}

function conditionsOf(
  { search, unread, after, timezone }: Statement,
  plan: SearchPlan,
  bind: Bind,
): string[] {
  return [
    't.workspace_id = $1',
    ...plan.candidates(bind),
    ...filterConditions(search, timezone, bind),
    ...(unread ? ['not t.is_read'] : []),
    ...(after ? [`(t.message_at, t.id) < (${bind(after.messageAt)}::timestamptz, ${bind(after.id)})`] : []),
  ];
}
