import { type Permission, permissions, type Scope, scopes } from '@firmdesk/contract';
import type { Rule } from '@firmdesk/domain';
import {
  dismiss,
  type MintedUser,
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
  /** A new token of the user for the firm, or for `platform`. */
  token(user: MintedUser, scopes: readonly Scope[], workspace?: string): Promise<string>;
}

export async function openCast({ services }: TestGateway): Promise<Cast> {
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
