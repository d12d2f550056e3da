import * as z from 'zod';

/** The scopes of a token. REST needs only the first seven (contract §5.2); the others are for typed RPC. */
export const scopes = [
  'mail:read',
  'mail:write',
  'calendar:read',
  'notifications:write',
  'admin:read',
  'admin:write',
  'affiliates:write',
  'calendar:write',
  'notifications:read',
  'platform:write',
] as const;

export const Scope = z.enum(scopes);
export type Scope = z.infer<typeof Scope>;

/** The permissions of a firm's administrator. The service's own staff hold all of them in every firm where they may act. */
export const permissions = [
  'view_tickets',
  'manage_tickets',
  'view_payouts',
  'view_affiliates',
  'manage_affiliates',
  'view_risk',
  'view_storage',
  'view_mail_health',
  'manage_assistant',
] as const;

export const Permission = z.enum(permissions);
export type Permission = z.infer<typeof Permission>;

/** An API key is issued by an operator; a device token by signing in (contract §5). */
export const tokenKinds = ['api_key', 'device'] as const;
export type TokenKind = (typeof tokenKinds)[number];

export const tokenEnvironments = ['live', 'test'] as const;
export type TokenEnvironment = (typeof tokenEnvironments)[number];

export const memberRoles = ['admin', 'trader'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** The reserved workspace of the service's own staff. */
export const PLATFORM = 'platform';

/** A firm's slug: lower-case letters, digits and hyphens. */
export const Slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a slug: at most 63 lower-case letters, digits and hyphens',
  );

/** What the slug of a test twin has after the firm's slug. No firm's slug contains a dot. */
export const TWIN_SUFFIX = '.test';

/** The slug of a workspace: of a firm, of `platform`, or of the test twin of either. */
export const WorkspaceSlug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.test)?$/,
    'must be the slug of a firm, or of its test twin: the slug and `.test`',
  );

/** A token that is unused for this long expires (contract §5.4). */
export const TOKEN_IDLE_DAYS = 90;
