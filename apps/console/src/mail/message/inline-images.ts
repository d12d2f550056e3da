import { attachmentPath, type MailAttachment, type OpenMailMessage } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { firm } from '../../session/firm.ts';
import { shownContentIds } from './content-id.ts';

/** Images beyond this size are listed only: a page with all of them would take too much memory. */
const MAX_INLINE_BYTES = 5_000_000;

const NO_IMAGES: ReadonlyMap<string, string> = new Map();

/** What decides which images are shown. */
type Shown = Pick<OpenMailMessage, 'body' | 'attachments'>;

/** Divides the files of a message into images that its body shows, and others. */
export function divideFiles({ attachments, body }: Shown): {
  inline: MailAttachment[];
  listed: MailAttachment[];
} {
  const hasIds = attachments.some(({ content_id }) => content_id !== null);
  const shown = hasIds ? shownContentIds(body) : new Set();
  const isInline = ({ content_id, type, size, deleted }: MailAttachment) =>
    content_id !== null &&
    shown.has(content_id) &&
    type.startsWith('image/') &&
    size <= MAX_INLINE_BYTES &&
    !deleted;
  return {
    inline: attachments.filter(isInline),
    listed: attachments.filter((file) => !isInline(file)),
  };
}

/** Returns the images that the body shows as `data:` URLs, by content id. The frame of the body cannot load them: it sends no cookie. */
export function useInlineImages({ body, attachments }: Shown): ReadonlyMap<string, string> {
  const { inline } = useMemo(() => divideFiles({ body, attachments }), [body, attachments]);
  const images = useQuery({
    queryKey: ['inline-images', inline.map(({ id }) => id)],
    queryFn: async ({ signal }) =>
      new Map(
        await Promise.all(
          inline.map(async ({ id, content_id }) => [content_id!, await dataUrl(id, signal)] as const),
        ),
      ),
    enabled: inline.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return images.data ?? NO_IMAGES;
}

async function dataUrl(id: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(attachmentPath(firm!, id), { signal });
  if (!answer.ok) return '';
  const content = await answer.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(content);
  });
}
