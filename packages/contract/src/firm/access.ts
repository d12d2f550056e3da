import * as z from 'zod';
import { permissions, scopes } from '../values/enumerations.ts';

export const Scope = z.enum(scopes);
export type Scope = z.infer<typeof Scope>;

export const Permission = z.enum(permissions);
export type Permission = z.infer<typeof Permission>;

/** A firm's slug: lower-case letters, digits and hyphens. */
export const Slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a slug: at most 63 lower-case letters, digits and hyphens',
  );

/** The slug of a workspace: of a firm, of `platform`, or of the sandbox of either. */
export const WorkspaceSlug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.test)?$/,
    'must be the slug of a firm, or of its sandbox: the slug and `.test`',
  );
