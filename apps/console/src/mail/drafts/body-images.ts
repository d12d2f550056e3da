import { attachmentPath } from '@firmdesk/contract';
import { useMemo, useRef } from 'react';
import type { DraftFile } from '../../attachments/draft-file.ts';
import type { DraftFiles } from '../../attachments/use-draft-files.ts';
import type { EditorImages } from '../../rich-text/editor.ts';
import { firm } from '../../session/firm.ts';
import { shownContentIds } from '../message/content-id.ts';
import type { DraftContent, DraftSaver } from './draft-saver.ts';

const NONE: ReadonlySet<string> = new Set();

/** The images in the text of a draft. They are files of the draft as long as the text shows them. */
export function useBodyImages({ body, files }: DraftContent, saver: DraftSaver, { add }: DraftFiles) {
  /** Those that the text shows or has shown: a removed one comes back when the removal is undone. */
  const known = useRef(new Map<string, DraftFile>());
  const shown = useMemo(() => idsIn(body), [body]);
  for (const file of files) if (file.id !== null && shown.has(file.id)) known.current.set(file.id, file);
  const images: EditorImages = {
    pathOf: (file) => attachmentPath(firm!, file),
    isOwn: (file) => known.current.has(file) || saver.state.content.files.some(({ id }) => id === file),
    upload: add,
  };
  return {
    images,
    /** The files that are not in the text. */
    listed: files.filter(({ id }) => id === null || !shown.has(id)),
    /** Returns the change of the draft to another body. */
    withImagesOf(next: string): Partial<DraftContent> {
      const { files: before } = saver.state.content;
      const ids = idsIn(next);
      const kept = before.filter(({ id }) => id === null || !known.current.has(id) || ids.has(id));
      const back = [...known.current].filter(([id]) => ids.has(id) && !before.some((file) => file.id === id));
      if (kept.length === before.length && back.length === 0) return { body: next };
      return { body: next, files: [...kept, ...back.map(([, file]) => file)] };
    },
  };
}

function idsIn(body: string): ReadonlySet<string> {
  return body.includes('cid:') ? shownContentIds(body) : NONE;
}
