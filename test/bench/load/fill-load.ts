import { join } from 'node:path';
import { closeServices, createServices, migrate, newId, type Services } from '@firmdesk/domain';
import { openServer } from '@firmdesk/postgres';
import { createEvents } from '@firmdesk/testing';
import pg from 'pg';
import { generateToken } from '../../../packages/domain/src/access/tokens/bearer-token.ts';
import { say } from '../report.ts';
import { type FilledFirm, fillFirms } from '../ticket-firm/fill-firm.ts';
import { loadWithoutIndexes } from '../ticket-firm/load-without-indexes.ts';
import { AGENTS_PER_FIRM, type LoadedFirm } from './plan.ts';

const DATA_DIR = join(import.meta.dirname, '../../../.data/bench');
/** Part of the database names. Increase it when the contents change. */
const VERSION = 2;
const FIRST_FIRM = 1_001;
/** Numbers of teams and tags that each firm may use. */
const IDS_PER_FIRM = 100;
const VOCABULARY = 20_000;
const MAIL_PER_FIRM = 200;
const SERIES_PER_AGENT = 6;
const SINGLES_PER_AGENT = 24;
const LIVE_TICKETS = 20;
const SEARCHES = 5;
const DAY_MS = 86_400_000;

/** A database with firms, on a server that lives as long as this object. */
export interface LoadDatabase extends AsyncDisposable {
  url: string;
  services: Services;
  firms: LoadedFirm[];
}

/** Opens a database whose firms share a number of tickets. It is created on first use, and kept for the next run. */
export async function openLoadDatabase(firms: number, tickets: number): Promise<LoadDatabase> {
  const server = await openServer({ dataDir: DATA_DIR, log: say });
  const name = `load_v${VERSION}_${firms}_${tickets}`;
  const url = withDatabase(server.url, name);
  if (!(await exists(server.url, name))) {
    const draft = `${name}_draft`;
    await administer(server.url, `drop database if exists ${draft} with (force)`);
    await administer(server.url, `create database ${draft}`);
    await create(withDatabase(server.url, draft), firms, tickets);
    await administer(server.url, `alter database ${draft} rename to ${name}`);
  }
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 4 } });
  // A database that was kept may be older than the tables.
  await migrate(services);
  return {
    url,
    services,
    firms: await readFirms(url),
    async [Symbol.asyncDispose]() {
      await closeServices(services);
      await server.release();
    },
  };
}

async function create(url: string, count: number, tickets: number): Promise<void> {
  say(`Creating ${count} firms with ${tickets} tickets. They are kept for the next run`);
  const firms: FilledFirm[] = Array.from({ length: count }, (_, n) => ({
    id: FIRST_FIRM + n,
    slug: `firm-${n}`,
    name: `Firm ${n}`,
    firstId: 1 + n * IDS_PER_FIRM,
    tickets: Math.round(tickets / count),
  }));
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 4 } });
  await migrate(services);
  await loadWithoutIndexes(
    url,
    (client) => fillFirms(client, firms, VOCABULARY),
    (statement) => say(`  ${statement}`),
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await addAgents(client, firms);
    await addMail(client);
    await addCalendars(client, services);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
    await closeServices(services);
  }
}

async function addAgents(client: pg.Client, firms: readonly FilledFirm[]): Promise<void> {
  const agents = firms.flatMap(({ id, slug }) =>
    Array.from({ length: AGENTS_PER_FIRM }, (_, n) => ({
      user: newId('user', new Date()),
      firm: id,
      email: `agent${n}@${slug}.example.com`,
      name: `Agent ${n}`,
    })),
  );
  const columns = [agents.map(({ user }) => user), agents.map(({ email }) => email)];
  await client.query(
    `insert into users (id, email, name, created_at)
     select a.id, a.email, a.name, now() from unnest($1::text[], $2::text[], $3::text[]) a (id, email, name)`,
    [...columns, agents.map(({ name }) => name)],
  );
  await client.query(
    `insert into memberships (workspace_id, user_id, role, permissions, created_at)
     select a.firm, a.id, 'admin', '{view_tickets,manage_tickets}', now() from unnest($1::integer[], $2::text[]) a (firm, id)`,
    [agents.map(({ firm }) => firm), columns[0]],
  );
}

/** Adds a mailbox to each firm, which its agents read and write from. */
async function addMail(client: pg.Client): Promise<void> {
  await client.query(`
    insert into mailboxes (workspace_id, email, name, created_at)
    select id, 'desk@' || slug || '.example.com', 'Trading Desk', now() from workspaces where slug like 'firm-%'`);
  await client.query(`
    insert into mailbox_addresses (address, workspace_id, mailbox_id) select email, workspace_id, id from mailboxes`);
  await client.query(`
    insert into mailbox_members (workspace_id, mailbox_id, user_id, can_write)
    select b.workspace_id, b.id, m.user_id, true
    from mailboxes b join memberships m on m.workspace_id = b.workspace_id and m.role = 'admin'`);
  const { rows: boxes } = await client.query<{ id: number; firm: number }>(
    'select id, workspace_id as firm from mailboxes',
  );
  for (const { id, firm } of boxes) {
    const ids = Array.from({ length: MAIL_PER_FIRM }, () => newId('mailMessage', new Date()));
    await client.query(
      `with thread as (
         insert into mail_threads (workspace_id, mailbox_id, created_at)
         select $1::integer, $2::integer, now() from generate_series(1, $4) returning id
       )
       insert into mail_messages (workspace_id, id, mailbox_id, thread_id, folder, from_email, from_name, to_recipients,
         cc_recipients, bcc_recipients, subject, body, snippet, message_at, reference_ids, created_at)
       select $1, m.id, $2, t.id, 'inbox', 'ann@elsewhere.example', 'Ann', '[]', '[]', '[]', 'Quarterly numbers ' || m.n,
         repeat('<p>Here they are, as agreed.</p>', 40), 'Here they are, as agreed.', now() - make_interval(hours => m.n::integer), '{}', now()
       from unnest($3::text[]) with ordinality m (id, n)
         join (select id, row_number() over () as n from thread) t using (n)`,
      [firm, id, ids, MAIL_PER_FIRM],
    );
  }
}

/** Adds a calendar to each agent, with series and single events around today. */
async function addCalendars(client: pg.Client, services: Services): Promise<void> {
  const { rows } = await client.query<{ id: number }>(`
    insert into calendars (workspace_id, owner_id, name, created_at)
    select workspace_id, user_id, 'Diary', now() from memberships where role = 'admin' returning id`);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const local = (time: number) => new Date(time).toISOString().slice(0, 19);
  const events = rows.flatMap(({ id }) =>
    Array.from({ length: SERIES_PER_AGENT + SINGLES_PER_AGENT }, (_, n) => {
      const isSeries = n < SERIES_PER_AGENT;
      const day = isSeries ? today - 200 * DAY_MS : today + ((n * 5) % 60) * DAY_MS;
      const start = day + (8 + (n % 10)) * 3_600_000;
      return {
        calendar_id: id,
        title: `Meeting ${n}`,
        starts_at: local(start),
        ends_at: local(start + 45 * 60_000),
        timezone: 'Europe/Berlin',
        recurrence_rule: isSeries ? 'FREQ=WEEKLY' : null,
      };
    }),
  );
  for (let from = 0; from < events.length; from += 5_000) {
    await createEvents(services, events.slice(from, from + 5_000));
  }
}

/** Gives each agent a new token, and returns what the clients need to know. */
async function readFirms(url: string): Promise<LoadedFirm[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tokens = await issueTokens(client);
    const { rows } = await client.query<Omit<LoadedFirm, 'tokens' | 'commandTicket'>>(`
      select w.id, b.id as mailbox,
        (select json_agg(json_build_object('id', t.id, 'trader', t.email)) from (
           select t.id, u.email from tickets t join users u on u.id = t.trader_id
           where t.workspace_id = w.id and t.closed_at is null and not t.ai_blocked order by t.id limit ${LIVE_TICKETS}) t) as tickets,
        (select json_agg(q) from (
           select split_part(body, ' ', 2) || ' ' || split_part(body, ' ', 5) as q
           from ticket_messages m where m.workspace_id = w.id order by m.id limit ${SEARCHES}) s) as searches
      from workspaces w join mailboxes b on b.workspace_id = w.id
      where w.slug like 'firm-%' order by w.id`);
    return rows.map(({ tickets, ...firm }) => ({
      ...firm,
      tokens: tokens.get(firm.id)!,
      commandTicket: tickets[0]!.id,
      tickets: tickets.slice(1),
    }));
  } finally {
    await client.end();
  }
}

async function issueTokens(client: pg.Client): Promise<Map<number, string[]>> {
  const { rows: agents } = await client.query<{ user: string; firm: number }>(
    `select user_id as user, workspace_id as firm from memberships where role = 'admin'`,
  );
  const now = new Date();
  const issued = agents.map((agent) => ({ ...agent, token: generateToken('live', now) }));
  await client.query(
    `insert into tokens (id, user_id, workspace_id, kind, environment, secret_hash, scopes, created_at)
     select a.id, a.user_id, a.firm, 'api_key', 'live', a.hash,
       '{mail:read,mail:write,calendar:read,notifications:write,admin:read,admin:write,platform:write}', now()
     from unnest($1::text[], $2::text[], $3::integer[], $4::bytea[]) a (id, user_id, firm, hash)`,
    [
      issued.map(({ token }) => token.id),
      issued.map(({ user }) => user),
      issued.map(({ firm }) => firm),
      issued.map(({ token }) => token.secretHash),
    ],
  );
  const tokens = new Map<number, string[]>();
  for (const { firm, token } of issued) tokens.set(firm, [...(tokens.get(firm) ?? []), token.text]);
  return tokens;
}

async function exists(serverUrl: string, name: string): Promise<boolean> {
  const { rowCount } = await administer(serverUrl, `select from pg_database where datname = '${name}'`);
  return rowCount === 1;
}

async function administer(serverUrl: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
