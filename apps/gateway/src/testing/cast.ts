import { type ErrorCode, type Permission, permissions, type Scope, scopes } from '@firmdesk/contract';
import type { Rule } from '@firmdesk/domain';
import {
  deleteUser,
  dismiss,
  type MintedUser,
  type MintToken,
  type MintUser,
  mintCalendar,
  mintFirm,
  mintStaff,
  mintToken,
  mintUser,
} from '@firmdesk/domain/testing';
import type { TestGateway } from './test-gateway.ts';

export type Firm = MintUser['firm'];

/** Everyone whom a guard tells apart, in one firm. */
export interface Cast {
  firm: Firm;
  foreign: Firm;
  /** Holds every permission. */
  admin: MintedUser;
  trader: MintedUser;
  dismissed: MintedUser;
  /** May act in `firm` alone. */
  staff: MintedUser;
  /** An administrator with every permission but these. */
  adminWithout(missing: readonly Permission[]): Promise<MintedUser>;
  /** Tokens that are none any more, each with the code that it is refused with. */
  dead: readonly (readonly [token: string, code: ErrorCode])[];
  /** A new token of the user for the firm, or for `platform`. */
  token(user: MintedUser, scopes: readonly Scope[], workspace?: string): Promise<string>;
}

const casts = new WeakMap<TestGateway, Promise<Cast>>();

/** The cast of a gateway, for tests that leave it as it is. */
export function castOf(gateway: TestGateway): Promise<Cast> {
  const cast = casts.get(gateway) ?? openCast(gateway);
  casts.set(gateway, cast);
  return cast;
}

export async function openCast(gateway: TestGateway): Promise<Cast> {
  const { services } = gateway;
  const [firm, foreign] = [await mintFirm(services), await mintFirm(services)];
  const mint = (input: Omit<MintUser, 'firm'>) => mintUser(services, { firm, ...input });
  const dismissed = await mint({ permissions: [...permissions] });
  await dismiss(services, dismissed);
  const admins = new Map<string, Promise<MintedUser>>();
  const admin = await mint({ permissions: [...permissions] });
  // Who may open no calendar at all is refused like one without a permission.
  await mintCalendar(services, { firm, owner: admin });
  return {
    firm,
    foreign,
    dismissed,
    admin,
    dead: await mintDead(gateway, firm, admin),
    trader: await mint({ role: 'trader' }),
    staff: await mintStaff(services, [firm]),
    adminWithout(missing) {
      const held = permissions.filter((permission) => !missing.includes(permission));
      const known = admins.get(held.join()) ?? mint({ permissions: held });
      admins.set(held.join(), known);
      return known;
    },
    async token(user, held, workspace = firm.slug) {
      return (await mintToken(services, { user, workspace, scopes: [...held] })).text;
    },
  };
}

const DAY_MS = 86_400_000;

async function mintDead(
  { services, clock }: TestGateway,
  firm: Firm,
  user: MintedUser,
): Promise<Cast['dead']> {
  const mint = async (over: Partial<MintToken>) =>
    (await mintToken(services, { user, workspace: firm.slug, ...over })).text;
  const now = clock.now();
  const past = new Date(now.getTime() - 1);
  const one = await mint({});
  const wrong = await mint({});
  await services.pool.query(
    `update tokens set secret_hash = sha256('another') where id = 'key_' || substr($1, 9, 26)`,
    [wrong],
  );
  const gone = await mintUser(services, { firm });
  const orphan = await mint({ user: gone });
  await deleteUser(services, gone);
  return [
    ['x', 'invalid_token'],
    [one.slice(0, -1), 'invalid_token'],
    [`${one}0`, 'invalid_token'],
    [one.toUpperCase(), 'invalid_token'],
    [wrong, 'invalid_token'],
    [await mint({ revokedAt: past }), 'revoked_token'],
    [await mint({ revokedAt: past, expiresAt: past }), 'revoked_token'],
    [orphan, 'revoked_token'],
    [await mint({ expiresAt: now }), 'expired_token'],
    [await mint({ createdAt: new Date(now.getTime() - 90 * DAY_MS) }), 'expired_token'],
  ];
}

/** The scopes that the rule asks for, and no more. */
export function neededScopes({ access }: Rule): Scope[] {
  return access.level === 'public' || !access.scope ? [] : [access.scope];
}

/** Every scope but the one that the rule asks for. */
export function otherScopes(rule: Rule): Scope[] {
  return scopes.filter((scope) => !neededScopes(rule).includes(scope));
}

export function neededPermissions({ access }: Rule): readonly Permission[] {
  return access.level === 'admin' ? access.permissions : [];
}
