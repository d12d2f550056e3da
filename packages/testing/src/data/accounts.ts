import { randomUUID } from 'node:crypto';
import {
  type MemberRole,
  type Permission,
  PLATFORM,
  type Scope,
  scopes,
  type TokenEnvironment,
  type TokenKind,
} from '@firmdesk/contract';
import { addUser, addWorkspace, type Services, withTransaction } from '@firmdesk/domain';
import { avatarHash, ensureSandbox, issueToken } from '@firmdesk/domain/import';
import { getWorkspace, StaffWorkspace, slugIn, type WorkspaceRef } from '@firmdesk/domain/testing';

/** Returns a name that is unique in this run. */
export function unique(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 13)}`;
}

/** Creates a firm with a unique slug. */
export function createWorkspace(services: Services): Promise<WorkspaceRef> {
  return withTransaction(services, async (ctx) => {
    const slug = unique('firm');
    const { id, name } = await addWorkspace(ctx, { slug, name: `Firm ${slug}` });
    return { id, slug, name };
  });
}

/** Creates the sandbox of a firm, unless it exists. */
export function createSandbox(services: Services, firm: WorkspaceRef): Promise<WorkspaceRef> {
  return withTransaction(services, async ({ db, now }) => {
    const id = await ensureSandbox(db, firm.id, now);
    return { id, slug: slugIn('test', firm.slug), name: firm.name };
  });
}

export interface CreateUserInput {
  firm: WorkspaceRef;
  role?: MemberRole;
  permissions?: Permission[];
  password?: string;
  name?: string;
  email?: string;
}

export interface TestUser {
  id: string;
  email: string;
}

/** Creates an account and its membership in the firm, by default as an administrator without permissions. */
export function createUser(services: Services, input: CreateUserInput): Promise<TestUser> {
  return withTransaction(services, async (ctx) => {
    const { id, email } = await addUser(ctx, {
      email: input.email ?? `${unique('person')}@example.com`,
      name: input.name ?? 'Robin Example',
      workspace: input.firm.slug,
      role: input.role ?? 'admin',
      permissions: input.permissions ?? [],
      password: input.password,
    });
    return { id, email };
  });
}

/** Gives an account an avatar as an import does. Returns its hash; null for the URL of another server. */
export async function setAvatar({ pool }: Services, { id }: TestUser, url: string): Promise<string | null> {
  const hash = avatarHash(url);
  await pool.query('update users set avatar_url = $2, avatar_hash = $3 where id = $1', [id, url, hash]);
  return hash;
}

/** Creates a staff account that may act in the given firms, or in all. */
export function createStaff(
  services: Services,
  firms: WorkspaceRef[] | 'all',
  password?: string,
): Promise<TestUser> {
  return withTransaction(services, async (ctx) => {
    const user = await addUser(ctx, {
      email: `${unique('staff')}@example.com`,
      name: 'Sam Staff',
      workspace: PLATFORM,
      role: 'admin',
      permissions: [],
      password,
    });
    if (firms !== 'all') {
      user.staffOfAllFirms = false;
      for (const { id } of firms) ctx.em.create(StaffWorkspace, { userId: user.id, workspaceId: id });
      await ctx.em.flush();
    }
    return { id: user.id, email: user.email };
  });
}

export interface CreateTokenInput {
  user: TestUser;
  /** The firm's slug, or `platform`. */
  workspace: string;
  scopes?: Scope[];
  kind?: TokenKind;
  environment?: TokenEnvironment;
  createdAt?: Date;
  expiresAt?: Date;
  revokedAt?: Date;
}

/** Creates a token, by default an API key with every scope; it counts as just opened. `text` is the plaintext. */
export function createToken(
  services: Services,
  input: CreateTokenInput,
): Promise<{ id: string; text: string }> {
  return withTransaction(services, async (ctx) => {
    const { environment = 'live' } = input;
    const workspace = await getWorkspace(ctx, input.workspace);
    const { token, text } = issueToken(ctx, {
      userId: input.user.id,
      workspaceId: environment === 'test' ? await ensureSandbox(ctx.db, workspace.id, ctx.now) : workspace.id,
      kind: input.kind ?? 'api_key',
      environment,
      scopes: input.scopes ?? scopes,
      createdAt: input.createdAt ?? ctx.now,
      expiresAt: input.expiresAt ?? null,
      revokedAt: input.revokedAt ?? null,
      verifiedAt: ctx.now,
    });
    await ctx.em.flush();
    return { id: token.id, text };
  });
}

/** Deletes the account. Its tokens and memberships remain. */
export function deleteUser(services: Services, user: TestUser): Promise<void> {
  return withTransaction(services, async ({ db, now }) => {
    await db.updateTable('users').set({ deleted_at: now }).where('id', '=', user.id).execute();
  });
}

/** Deactivates the account's memberships. */
export function dismiss(services: Services, user: TestUser): Promise<void> {
  return withTransaction(services, async ({ db }) => {
    await db.updateTable('memberships').set({ active: false }).where('user_id', '=', user.id).execute();
  });
}
