import { getUser } from '../../access/accounts/users.ts';
import { recordAudit, recordPlatformAudit } from '../../access/audit/audit.ts';
import { getFirm } from '../../access/workspaces/workspaces.ts';
import type { Actor } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { type AccountFirm, findAccountFirms } from './find-account-firms.ts';
import { workspacesOf } from './firm-scope.ts';
import { personalRows } from './personal-rows.ts';

/** The rows that are read at once. */
const PAGE = 500;
/** Columns that are secrets, or computed from other ones. */
const OMITTED = [
  ...[
    'password_hash',
    'secret_hash',
    'previous_secret_hash',
    'secret',
    // Where pushes to a device go, and the keys for them.
    'device_token',
    'keys',
    'public_key',
    'last_step',
    'avatar_hash',
    'rights_changed_in',
    'search_text',
    'search_pending',
  ],
  ...['number', 'urgency', 'queue_rank', 'queue_key', 'queue_tie'],
];

/** What a firm knows of an account. How it signs in, and where else, is its own. */
const KNOWN_TO_FIRM = ['id', 'email', 'name', 'avatar_url', 'language', 'timezone', 'created_at'];

export interface ExportAccountOptions {
  actor: Actor;
  /** The slug of the firm that asks for it: contains only what this firm knows of the account. */
  firm?: string | undefined;
  /** Called after each page, with the records of the type so far. */
  onProgress?: (type: string, records: number) => void;
}

/**
 * Writes all data of one person as NDJSON: a record per line, `{ "type", "workspace", … }`, with a page of records in memory. Contains
 * the account, its sessions, keys and devices, what firms store about it, and the conversations of its tickets without internal notes.
 * Mail belongs to the firm, whose mailboxes several people read: the export names the mailboxes. Returns the number of records by type.
 */
export async function exportAccount(
  services: Services,
  reference: string,
  write: (text: string) => Promise<void>,
  { actor, firm: asking, onProgress = () => {} }: ExportAccountOptions,
): Promise<Record<string, number>> {
  const { userId, email, scope } = await withTransaction(services, async (ctx) => {
    const { id, email } = await getUser(ctx, reference);
    const event = { action: 'user.exported', target: { type: 'user', id } } as const;
    const scope = asking === undefined ? null : await workspacesOf(ctx, asking);
    if (asking === undefined) await recordPlatformAudit({ ...ctx, actor }, event);
    else await recordAudit({ ...ctx, actor }, (await getFirm(ctx, asking)).id, event);
    return { userId: id, email, scope };
  });
  const within = scope?.map(({ id }) => id) ?? null;
  const counts: Record<string, number> = {};
  const emit = async (type: string, workspace: string | null, rows: readonly object[]) => {
    if (rows.length === 0) return;
    await write(rows.map((row) => `${JSON.stringify({ type, workspace, ...row })}\n`).join(''));
    counts[type] = (counts[type] ?? 0) + rows.length;
    onProgress(type, counts[type]);
  };
  const read = async (from: string, values: unknown[]): Promise<object[]> => {
    const { rows } = await services.pool.query<{ row: object }>(
      `select to_jsonb(t) - $1::text[] - 'workspace_id' as row from ${from}`,
      [OMITTED, ...values],
    );
    return rows.map(({ row }) => row);
  };
  const account = scope
    ? `(select ${KNOWN_TO_FIRM.join()} from users where id = $2) t`
    : 'users t where t.id = $2';
  await emit('account', null, await read(account, [userId]));
  const isWithin = '($3::integer[] is null or workspace_id = any($3))';
  for (const [type, table] of [
    ['membership', 'memberships'],
    ['token', 'tokens'],
  ] as const)
    await emit(
      type,
      null,
      await read(
        `(select t.*, w.slug as firm from ${table} t join workspaces w on w.id = t.workspace_id where t.user_id = $2 and ($3::integer[] is null or t.workspace_id = any($3))) t`,
        [userId, within],
      ),
    );
  if (!scope) {
    await emit('passkey', null, await read('passkeys t where t.user_id = $2', [userId]));
    await emit('second_factor', null, await read('second_factors t where t.user_id = $2', [userId]));
  }
  await emit(
    'provider_account',
    null,
    await read(`provider_accounts t where t.user_id = $2 and ${isWithin}`, [userId, within]),
  );
  await emit(
    'device',
    null,
    await read(`devices t where t.token_id in (select id from tokens where user_id = $2 and ${isWithin})`, [
      userId,
      within,
    ]),
  );
  for (const firm of scope ?? (await findAccountFirms(services, userId))) {
    for (const { table, column, key } of personalRows)
      for await (const rows of pages(
        read,
        `${table} t where t.workspace_id = $2 and t.${column} = $3`,
        key,
        firm,
        userId,
      ))
        await emit(`${table}.${column}`, firm.slug, rows);
    const ofTrader =
      't.ticket_id = any(array(select k.id from tickets k where k.workspace_id = $2 and k.trader_id = $3))';
    const conversation = `ticket_messages t where t.workspace_id = $2 and not t.internal and ${ofTrader}`;
    for await (const rows of pages(read, conversation, 'id', firm, userId))
      await emit('conversation', firm.slug, rows);
    const ofOwner =
      't.calendar_id = any(array(select c.id from calendars c where c.workspace_id = $2 and c.owner_id = $3))';
    for await (const rows of pages(
      read,
      `events t where t.workspace_id = $2 and ${ofOwner}`,
      'id',
      firm,
      userId,
    ))
      await emit('event', firm.slug, rows);
    const reservations =
      'affiliate_pre_registrations t where t.workspace_id = $2 and lower(t.email) = lower($3)';
    for await (const rows of pages(read, reservations, 'id', firm, email))
      await emit('pre_registration', firm.slug, rows);
  }
  return counts;
}

/** Yields the pages of a firm's rows. The query has the firm and the subject as `$2` and `$3`. */
async function* pages(
  read: (from: string, values: unknown[]) => Promise<object[]>,
  from: string,
  key: string | undefined,
  firm: AccountFirm,
  subject: string,
): AsyncGenerator<object[]> {
  if (key === undefined) {
    yield await read(from, [firm.id, subject]);
    return;
  }
  for (let after: unknown = null; ; ) {
    const isAfter = after === null ? '' : `and t.${key} > $4`;
    const values = [firm.id, subject, ...(after === null ? [] : [after])];
    const rows = await read(`${from} ${isAfter} order by t.${key} limit ${PAGE}`, values);
    yield rows;
    if (rows.length < PAGE) return;
    after = (rows.at(-1) as Record<string, unknown>)[key];
  }
}
