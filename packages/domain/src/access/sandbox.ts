/**
 * The test twin of a workspace is a workspace of its own, with its own rows in all tables of firms. Tokens of the environment `test`
 * belong to it (docs/decisions/0017). It has no members of its own: those of the firm are its members, by `policy.ts`.
 */
import { PLATFORM, type TokenEnvironment, TWIN_SUFFIX } from '@firmdesk/contract';
import type { WorkspaceRef } from './identity.ts';

/** Returns the slug of the firm, for the firm's own slug and for its twin's. */
export function firmSlug(slug: string): string {
  return isTwin({ slug }) ? slug.slice(0, -TWIN_SUFFIX.length) : slug;
}

/** Returns the slug under which an environment stores a firm, given the slug of the firm or of its twin. */
export function slugIn(environment: TokenEnvironment, slug: string): string {
  return environment === 'test' ? firmSlug(slug) + TWIN_SUFFIX : slug;
}

export function isTwin({ slug }: Pick<WorkspaceRef, 'slug'>): boolean {
  return slug.endsWith(TWIN_SUFFIX);
}

/** Returns whether the workspace is that of the service's own staff, or its twin. */
export function isPlatform({ slug }: Pick<WorkspaceRef, 'slug'>): boolean {
  return firmSlug(slug) === PLATFORM;
}
