import {
  type ErrorCode,
  type Permission,
  permissions,
  type Scope,
  scopes,
  type TokenKind,
} from '@firmdesk/contract';
import { type ProcedureSpec, permissionsFor } from '@firmdesk/domain';
import {
  type CreateTokenInput,
  type CreateUserInput,
  createStaff,
  createToken,
  createUser,
  createWorkspace,
  deleteUser,
  dismiss,
  type TestUser,
} from '../data/accounts.ts';
import { createCalendar } from '../data/calendar.ts';
import type { TestGateway } from '../gateway/test-gateway.ts';

export type Firm = CreateUserInput['firm'];

/** One account for each case that the access checks distinguish, in one firm. */
export interface Actors {
  firm: Firm;
  /** A firm of which none of the actors is a member. */
  foreign: Firm;
  /** An administrator with every permission. */
  admin: TestUser;
  trader: TestUser;
  /** An administrator whose membership was deactivated. */
  dismissed: TestUser;
  /** A staff account that may act only in `firm`. */
  staff: TestUser;
  /** Returns an administrator with every permission except these. */
  adminWithout(missing: readonly Permission[]): Promise<TestUser>;
  /** Invalid, revoked and expired tokens, each with its error code. */
  deadTokens: readonly (readonly [token: string, code: ErrorCode])[];
  /** Creates a token of the user for the firm, or for `platform`. */
  token(user: TestUser, scopes: readonly Scope[], workspace?: string, kind?: TokenKind): Promise<string>;
}

const sharedActors = new WeakMap<TestGateway, Promise<Actors>>();

/** Returns the shared actors of a gateway, for tests that do not change them. */
export function actorsOf(gateway: TestGateway): Promise<Actors> {
  const actors = sharedActors.get(gateway) ?? createActors(gateway);
  sharedActors.set(gateway, actors);
  return actors;
}

/** Creates actors in a new firm, for tests that change them. */
export async function createActors(gateway: TestGateway): Promise<Actors> {
  const { services } = gateway;
  const [firm, foreign] = [await createWorkspace(services), await createWorkspace(services)];
  const create = (input: Omit<CreateUserInput, 'firm'>) => createUser(services, { firm, ...input });
  const dismissed = await create({ permissions: [...permissions] });
  await dismiss(services, dismissed);
  const admins = new Map<string, Promise<TestUser>>();
  const admin = await create({ permissions: [...permissions] });
  // Without any calendar, calendar calls would get the same error as calls without a permission.
  await createCalendar(services, { firm, owner: admin });
  return {
    firm,
    foreign,
    dismissed,
    admin,
    deadTokens: await createDeadTokens(gateway, firm, admin),
    trader: await create({ role: 'trader' }),
    staff: await createStaff(services, [firm]),
    adminWithout(missing) {
      const held = permissions.filter((permission) => !missing.includes(permission));
      const known = admins.get(held.join()) ?? create({ permissions: held });
      admins.set(held.join(), known);
      return known;
    },
    async token(user, held, workspace = firm.slug, kind = 'api_key') {
      return (await createToken(services, { user, workspace, scopes: [...held], kind })).text;
    },
  };
}

const DAY_MS = 86_400_000;

async function createDeadTokens(
  { services, clock }: TestGateway,
  firm: Firm,
  user: TestUser,
): Promise<Actors['deadTokens']> {
  const create = async (over: Partial<CreateTokenInput>) =>
    (await createToken(services, { user, workspace: firm.slug, ...over })).text;
  const now = clock.now();
  const past = new Date(now.getTime() - 1);
  const live = await create({});
  const withOtherSecret = await create({});
  await services.pool.query(
    `update tokens set secret_hash = sha256('another') where id = 'key_' || substr($1, 9, 26)`,
    [withOtherSecret],
  );
  const deleted = await createUser(services, { firm });
  const ofDeleted = await create({ user: deleted });
  await deleteUser(services, deleted);
  return [
    ['x', 'invalid_token'],
    [live.slice(0, -1), 'invalid_token'],
    [`${live}0`, 'invalid_token'],
    [live.toUpperCase(), 'invalid_token'],
    [withOtherSecret, 'invalid_token'],
    [await create({ revokedAt: past }), 'revoked_token'],
    [await create({ revokedAt: past, expiresAt: past }), 'revoked_token'],
    [ofDeleted, 'revoked_token'],
    [await create({ expiresAt: now }), 'expired_token'],
    [await create({ createdAt: new Date(now.getTime() - 90 * DAY_MS) }), 'expired_token'],
  ];
}

/** Returns the scopes that the spec requires. */
export function neededScopes({ access }: ProcedureSpec): Scope[] {
  return access.level === 'public' || !access.scope ? [] : [access.scope];
}

/** Returns every scope except the required one. */
export function otherScopes(spec: ProcedureSpec): Scope[] {
  return scopes.filter((scope) => !neededScopes(spec).includes(scope));
}

/** Returns the permissions that the spec requires of a token of this kind. */
export function neededPermissions(
  { access }: ProcedureSpec,
  kind: TokenKind = 'api_key',
): readonly Permission[] {
  return permissionsFor(access, kind);
}

/** Returns the kinds of token that differ in what the spec requires of them. */
export function kindsOf(spec: ProcedureSpec): TokenKind[] {
  const ofDevice = neededPermissions(spec, 'device');
  return ofDevice.length > neededPermissions(spec).length ? ['api_key', 'device'] : ['api_key'];
}
