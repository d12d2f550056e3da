import type { StoredReplyDraft } from '@firmdesk/contract';
import { isSameMacros } from '../../macros/draft-macros.ts';
import type { ReplyDraft } from './reply-drafts.ts';

/** What a draft says. */
export type DraftContent = Pick<ReplyDraft, 'text' | 'html' | 'imageUrl' | 'imageName' | 'macros'>;

/** The state of a draft that this browser and the service last had in common. */
export interface DraftBase extends DraftContent {
  /** Null if the service had no draft. */
  version: string | null;
  /** Milliseconds since the epoch. */
  changedAt: number;
}

export const noContent: DraftContent = { text: '', html: null, imageUrl: '', imageName: '', macros: null };

/** Returns what a stored draft says; nothing without one. */
export function contentOf(stored: StoredReplyDraft | null): DraftContent {
  if (!stored) return noContent;
  const { text, html, image_url: imageUrl, image_name: imageName, macros } = stored;
  return { text, html, imageUrl, imageName, macros };
}

/**
 * Returns what to do with a draft that may have changed here, and on another device: `adopt` the one of the service, `save` the local
 * one, ask the author in a `conflict`, or nothing, because they are the `same`. A text is never lost: a draft that was deleted on one
 * side and changed on the other stays as it was changed.
 */
export function reconcileDraft(
  local: DraftContent,
  base: DraftBase | null,
  stored: StoredReplyDraft | null,
): 'same' | 'adopt' | 'save' | 'conflict' {
  if (isSameContent(local, contentOf(stored))) return 'same';
  if (isSameContent(local, base ?? noContent)) return 'adopt';
  if (stored === null || stored.version === (base?.version ?? null)) return 'save';
  return isSameContent(local, noContent) ? 'adopt' : 'conflict';
}

export function isSameContent(a: DraftContent, b: DraftContent): boolean {
  return (
    a.text === b.text &&
    a.html === b.html &&
    a.imageUrl === b.imageUrl &&
    a.imageName === b.imageName &&
    isSameMacros(a.macros, b.macros)
  );
}
