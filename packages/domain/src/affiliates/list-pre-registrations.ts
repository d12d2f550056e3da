import type { FindPreRegistrationsInput, PageMeta, PreRegistration } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../platform/process/errors.ts';
import { columnsAt, type FirmContext, toPreRegistration } from './pre-registration.ts';

type Row = Omit<PreRegistration, 'object'>;

interface Page {
  data: PreRegistration[];
  meta: z.infer<typeof PageMeta>;
}

/**
 * Returns a page of the firm's pre-registrations, newest first (contract §4.9). The cursor may be any pre-registration of the firm,
 * even one that does not match the filters. Throws `invalid_cursor`.
 */
export async function listPreRegistrations(
  { db, workspace, now }: FirmContext,
  { status, email, q, limit, starting_after }: FindPreRegistrationsInput,
): Promise<Page> {
  const ofFirm = db.selectFrom('affiliate_pre_registrations').where('workspace_id', '=', workspace.id);
  let query = ofFirm
    .select(columnsAt(now))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (starting_after !== undefined) {
    const last = await ofFirm.select('created_at').where('id', '=', starting_after).executeTakeFirst();
    if (!last) throw new ApiError('invalid_cursor');
    query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${starting_after})`);
  }
  if (email !== undefined) query = query.where(sql`lower(email)`, '=', sql`lower(${email})`);
  if (q !== undefined) {
    const words = q
      .trim()
      .split(/\s+/)
      .map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
    query = query.where(sql<boolean>`email || ' ' || referral_code ilike all(${words}::text[])`);
  }
  const isExpired = sql<boolean>`expires_at <= ${now.toISOString()}`;
  let rows: Row[];
  if (status === 'expired') {
    // Two index ranges, each in order: rows with the status expired, and pending rows that expired since the job last ran.
    const marked = query.where('status', '=', 'expired');
    const unmarked = query.where('status', '=', 'pending').where(isExpired);
    const union = sql<Row>`${marked} union all ${unmarked} order by created_at desc, id desc limit ${limit + 1}`;
    rows = (await union.execute(db)).rows;
  } else {
    if (status !== undefined) query = query.where('status', '=', status);
    if (status === 'pending') query = query.where(sql<boolean>`${isExpired} is not true`);
    rows = await query.execute();
  }
  const data = rows.slice(0, limit).map(toPreRegistration);
  const hasMore = rows.length > limit;
  return { data, meta: { has_more: hasMore, next_cursor: hasMore ? data.at(-1)!.id : null } };
}
