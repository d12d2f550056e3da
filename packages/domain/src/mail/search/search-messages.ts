import { folders as allFolders, type Folder, type MailListRow, type MailSearch } from '@firmdesk/contract';
import { runSearch } from '../../platform/search/run-search.ts';
import type { Bind } from '../../platform/search/search-index.ts';
import {
  type PendingRow,
  type SearchLimits,
  type SearchPlan,
  searchLimits,
  searchRecords,
} from '../../platform/search/search-records.ts';
import { containing } from '../../platform/search/search-text.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { type ListedRow, listedColumns, messageAtOf, toListRow } from '../messages/mail-message-row.ts';
import { mailIndex } from './mail-texts.ts';
import { filterConditions, foldersOf, textConditions, wordsOf } from './search-conditions.ts';

/** To compare a text of mail takes longer than one of a ticket. */
const limits: SearchLimits = { ...searchLimits, listed: 5_000, compared: 1_000 };

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
    limits,
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

/** More than there are. Unlike without a limit, the planner prefers to begin soon, because the page ends soon. */
const NO_LIMIT = 1_000_000_000;

/**
 * The candidates come in order from an index, without their texts. Each is then read and its text compared, until the page is full. The
 * planner would rather compare all texts first, because it takes a word for a rare one.
 */
function pageStatement(about: Statement, plan: SearchPlan, bind: Bind): string {
  const texts = [...textConditions(about.search, bind), ...plan.texts(bind)];
  return `
    select ${COLUMNS}, ${messageAtOf('t')} as message_at
    from (${selectCandidates(about, plan, bind)} limit ${plan.limit ?? NO_LIMIT}) c
    cross join lateral (
      select m.* from mail_messages m where m.workspace_id = $1 and m.id = c.id offset 0) t
    ${texts.length === 0 ? '' : `where ${texts.join(' and ')}`}
    order by c.message_at desc, c.id desc limit ${about.rows}`;
}

/** Selects the messages that may match, newest first. */
function selectCandidates(about: Statement, plan: SearchPlan, bind: Bind): string {
  const conditions = conditionsOf(about, plan, bind).join(' and ');
  const inMailbox = (condition: string) =>
    `select t.id, t.message_at from mail_messages t where ${conditions} and t.mailbox_id ${condition}`;
  // Listed ones are found by their numbers. Otherwise an index has those of each mailbox in order, and the server merges them.
  const found = plan.isListed
    ? inMailbox(`= any(${bind(about.mailboxes)}::integer[])`)
    : about.mailboxes
        .map((id) => `(${inMailbox(`= ${bind(id)}::integer`)} order by ${ORDER})`)
        .join(' union all ');
  return `select t.id, t.message_at from (${found}) t order by ${ORDER}`;
}

function conditionsOf(
  { search, folders: wanted, unread, after, timezone }: Statement,
  plan: SearchPlan,
  bind: Bind,
): string[] {
  return [
    't.workspace_id = $1',
    ...plan.candidates(bind),
    ...filterConditions(search, timezone, bind),
    ...(unread ? ['not t.is_read'] : []),
    ...(after ? [`(t.message_at, t.id) < (${bind(after.messageAt)}::timestamptz, ${bind(after.id)})`] : []),
    // To compare the folder of each candidate takes a third of the time.
    ...(wanted.length < allFolders.length ? [`t.folder = any(${bind(wanted)}::text[])`] : []),
  ];
}
