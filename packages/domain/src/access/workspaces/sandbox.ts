/**
 * The sandbox of a workspace is a workspace of its own, with its own rows in all tables of firms. Tokens of the environment `test`
 * belong to it (docs/decisions/0017). It has no members of its own: those of the firm are its members, by `policy.ts`.
 */
import { PLATFORM, SANDBOX_SUFFIX, type TokenEnvironment } from '@firmdesk/contract';
import type { WorkspaceRef } from '../identity.ts';

/** Returns the slug of the firm, for the firm's own slug and for its sandbox's. */
export function firmSlug(slug: string): string {
  return isSandbox({ slug }) ? slug.slice(0, -SANDBOX_SUFFIX.length) : slug;
}

/** Returns the slug under which an environment stores a firm, given the slug of the firm or of its sandbox. */
export function slugIn(environment: TokenEnvironment, slug: string): string {
  return environment === 'test' ? firmSlug(slug) + SANDBOX_SUFFIX : slug;
}

export function isSandbox({ slug }: Pick<WorkspaceRef, 'slug'>): boolean {
  return slug.endsWith(SANDBOX_SUFFIX);
}

/** Returns whether the workspace is that of the service's own staff, or its sandbox. */
export function isPlatform({ slug }: Pick<WorkspaceRef, 'slug'>): boolean {
  return firmSlug(slug) === PLATFORM;
}
