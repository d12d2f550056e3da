import {
  type MemberRole,
  type Permission,
  PLATFORM,
  type Scope,
  TOKEN_IDLE_DAYS,
  type TokenEnvironment,
  type TokenKind,
} from '@firmdesk/contract';
import { DAY_MS, MINUTE_MS } from '../kernel/clock.ts';
import { ApiError } from '../kernel/errors.ts';
import type { Services } from '../kernel/services.ts';
import { isSameHash, type PresentedToken, readToken } from './bearer-token.ts';
import type { Identity, Standing } from './identity.ts';

const IDENTITY = `
  t.kind, t.environment, t.secret_hash, array_to_string(t.scopes, ' ') as scopes, t.created_at, t.last_used_at,
  t.expires_at, t.revoked_at, u.id as user_id, u.name as user_name, u.email, u.language, u.timezone, u.is_staff,
  u.deleted_at is not null as user_deleted, w.id as home_id, w.slug as home_slug, w.name as home_name`;
const TOKEN = `
  tokens t
  join users u on u.id = t.user_id
  join workspaces w on w.id = t.workspace_id`;

/** All that a call on one's own account needs, in one prepared round trip. */
const FIND_TOKEN = { name: 'find-token', text: `select ${IDENTITY} from ${TOKEN} where t.id = $1` };

/** All that a call on a firm needs besides. `$2` is the firm that the call names. */
const FIND_TOKEN_AND_STANDING = {
  name: 'find-token-and-standing',
  text: `
    select ${IDENTITY}, m.role, m.active, m.permissions, f.id as firm_id, f.slug as firm_slug, f.name as firm_name
    from ${TOKEN}
    left join memberships m on m.workspace_id = t.workspace_id and m.user_id = t.user_id
    left join workspaces f on f.slug = $2 and f.slug <> '${PLATFORM}' and u.is_staff
      and (u.staff_of_all_firms
        or exists (select from staff_firms s where s.user_id = u.id and s.workspace_id = f.id))
    where t.id = $1`,
};

interface FoundToken {
  kind: TokenKind;
  environment: TokenEnvironment;
  secret_hash: Buffer;
  scopes: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  user_id: string;
  user_name: string;
  email: string;
  language: string;
  timezone: string;
  is_staff: boolean;
  user_deleted: boolean;
  home_id: number;
  home_slug: string;
  home_name: string;
}

interface FoundStanding {
  role: MemberRole | null;
  active: boolean | null;
  permissions: Permission[] | null;
  firm_id: number | null;
  firm_slug: string | null;
  firm_name: string | null;
}

/**
 * Who the bearer token speaks for (contract §5). Raises `invalid_token`, `revoked_token` before `expired_token`.
 * Read from the database at each call, so that a sign-out holds at once on every node.
 */
export async function authenticate(services: Services, bearer: string | null, now: Date): Promise<Identity> {
  const presented = read(bearer);
  const { rows } = await services.pool.query<FoundToken>({ ...FIND_TOKEN, values: [presented.id] });
  return identify(services, presented, rows[0], now);
}

/** {@link authenticate}, with what the account is in its firm, or in the firm that the call names. */
export async function authenticateForFirm(
  services: Services,
  bearer: string | null,
  firmSlug: string | null,
  now: Date,
): Promise<{ identity: Identity; standing: Standing }> {
  const presented = read(bearer);
  const { rows } = await services.pool.query<FoundToken & FoundStanding>({
    ...FIND_TOKEN_AND_STANDING,
    values: [presented.id, firmSlug],
  });
  const identity = await identify(services, presented, rows[0], now);
  return { identity, standing: standingOf(rows[0]!) };
}

function read(bearer: string | null): PresentedToken {
  const presented = bearer === null ? null : readToken(bearer);
  if (!presented) throw new ApiError('invalid_token');
  return presented;
}

async function identify(
  services: Services,
  presented: PresentedToken,
  found: FoundToken | undefined,
  now: Date,
): Promise<Identity> {
  if (!found || !isSameHash(found.secret_hash, presented.secretHash)) throw new ApiError('invalid_token');
  if (found.revoked_at || found.user_deleted) throw new ApiError('revoked_token');
  const lastUsed = Date.parse(found.last_used_at ?? found.created_at);
  const expires = found.expires_at ? Date.parse(found.expires_at) : Number.POSITIVE_INFINITY;
  if (now.getTime() >= Math.min(expires, lastUsed + TOKEN_IDLE_DAYS * DAY_MS)) {
    throw new ApiError('expired_token');
  }
  if (found.last_used_at === null || now.getTime() - lastUsed >= MINUTE_MS) {
    await touch(services, presented.id, now);
  }
  return {
    tokenId: presented.id,
    kind: found.kind,
    environment: found.environment,
    scopes: found.scopes === '' ? [] : (found.scopes.split(' ') as Scope[]),
    user: {
      id: found.user_id,
      name: found.user_name,
      email: found.email,
      language: found.language,
      timezone: found.timezone,
      isStaff: found.is_staff,
    },
    home: { id: found.home_id, slug: found.home_slug, name: found.home_name },
  };
}

function standingOf(found: FoundStanding): Standing {
  return {
    membership:
      found.role === null
        ? null
        : { role: found.role, active: found.active === true, permissions: found.permissions ?? [] },
    named:
      found.firm_id === null ? null : { id: found.firm_id, slug: found.firm_slug!, name: found.firm_name! },
  };
}

/** The use is noted at most once a minute; many nodes at once write it once. */
async function touch(services: Services, tokenId: string, now: Date): Promise<void> {
  await services.pool.query({
    name: 'touch-token',
    text: `update tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`,
    values: [tokenId, now.toISOString(), new Date(now.getTime() - MINUTE_MS).toISOString()],
  });
}
