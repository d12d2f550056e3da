import type { Permission, SignInMethod, TokenEnvironment, TokenKind } from '@firmdesk/contract';
import type { Pool } from 'pg';
import { batchCalls } from '../../platform/database/batch-calls.ts';
import {
  ADMINISTERS_WORKSPACE,
  acceptsPreviousSecret,
  BELONGS_TO_WORKSPACE,
  IS_FIRM_SUSPENDED,
  IS_REVOKED,
  IS_SUSPENDED,
  isExpired,
  MAY_ACT_FOR_NAMED,
  PERMISSIONS,
  TOKENS,
} from '../policy.ts';

/** A token with its account, its workspace, and the firm that the call names, if the token may act for it. */
export interface FoundToken {
  kind: TokenKind;
  environment: TokenEnvironment;
  secret_hash: Buffer;
  /** The secret before the last rotation, while it is accepted. */
  previous_secret_hash: Buffer | null;
  scopes: string;
  created_at: string;
  last_used_at: string | null;
  signed_in_by: SignInMethod | null;
  verified_at: string | null;
  is_revoked: boolean;
  is_expired: boolean;
  /** Whether the workspace of the token is suspended. */
  is_suspended: boolean;
  user_id: string;
  user_name: string;
  email: string;
  language: string;
  timezone: string;
  is_staff: boolean;
  home_id: number;
  home_slug: string;
  home_name: string;
  belongs_to_workspace: boolean;
  administers_workspace: boolean;
  permissions: Permission[];
  firm_id: number | null;
  firm_slug: string | null;
  firm_name: string | null;
  is_firm_suspended: boolean;
  is_firm_entered: boolean;
}

/**
 * Looks up any number of `{ token, firm, now }`: a token id, and the slug of the firm that the call names, or null. Only a test token finds a
 * sandbox, and it finds no firm. `limit 1`
 * makes the planner look up each token by key. Without it, the planner may read whole tables when there are many.
 */
const FIND_TOKENS = {
  name: 'find-tokens',
  text: `
    select asked.place::int, found.*
    from rows from (json_to_recordset($1::json) as (token text, firm text, now timestamptz))
      with ordinality asked (token, firm, now, place)
    cross join lateral (
      select t.kind, t.environment, t.secret_hash,
        case when ${acceptsPreviousSecret('asked.now')} then t.previous_secret_hash end as previous_secret_hash, array_to_string(t.scopes, ' ') as scopes, t.created_at, t.last_used_at,
        t.signed_in_by, t.verified_at,
        ${IS_REVOKED} as is_revoked, ${isExpired('asked.now')} as is_expired, ${IS_SUSPENDED} as is_suspended,
        u.id as user_id, u.name as user_name, u.email, u.language, u.timezone, u.is_staff,
        h.id as home_id, h.slug as home_slug, h.name as home_name,
        ${BELONGS_TO_WORKSPACE} as belongs_to_workspace, ${ADMINISTERS_WORKSPACE} as administers_workspace, ${PERMISSIONS} as permissions,
        f.id as firm_id, f.slug as firm_slug, f.name as firm_name,
        ${IS_FIRM_SUSPENDED} as is_firm_suspended, coalesce(f.id = any(t.entered_firms), false) as is_firm_entered
      from ${TOKENS}
      left join workspaces f on f.slug = asked.firm and ${MAY_ACT_FOR_NAMED}
      where t.id = asked.token
      limit 1
    ) found`,
};

/** A token to look up, and the slug of the firm that the call names, or null. */
interface Asked {
  token: string;
  firm: string | null;
  now: Date;
}

declare module '../../platform/services.ts' {
  interface Services {
    findToken: FindToken;
  }
}

type FindToken = (token: string, firm: string | null, now: Date) => Promise<FoundToken | undefined>;

/** Returns a function that finds a token. Calls that arrive together share one statement, and calls with the same token one lookup. */
export function tokenFinder(pool: Pool): FindToken {
  const lookUp = batchCalls<Asked, FoundToken | undefined>(async (asked) => {
    const { rows } = await pool.query<FoundToken & { place: number }>({
      ...FIND_TOKENS,
      values: [JSON.stringify(asked)],
    });
    const found = new Map(rows.map((row) => [row.place, row]));
    return asked.map((_, i) => found.get(i + 1));
  });
  return (token, firm, now) => lookUp(`${token} ${firm ?? ''}`, { token, firm, now });
}
