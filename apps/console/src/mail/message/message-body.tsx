import type { OpenMailMessage } from '@firmdesk/contract';
import { ImageOff, Scissors } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStoredValue } from '../../stored-value.ts';
import { theme } from '../../theme.ts';
import { Button } from '../../ui/button.tsx';
import { bodyDocument, textDocument } from './body-document.ts';
import { useInlineImages } from './inline-images.ts';
import { textOf } from './shown-part.ts';

interface MessageBodyProps {
  body: string;
  subject: string;
  /** Files of the message, among them images that the HTML shows. */
  attachments?: OpenMailMessage['attachments'];
}

const NO_FILES: OpenMailMessage['attachments'] = [];

/**
 * The HTML of a message in a sandboxed frame. Remote images are loaded on request. A message that would keep the browser busy is shown in
 * part, and as text on request.
 */
export function MessageBody({ body, subject, attachments = NO_FILES }: MessageBodyProps) {
  const inlineImages = useInlineImages({ body, attachments });
  const [loadsImages, setLoadsImages] = useState(false);
  const [isText, setIsText] = useState(false);
  const chosen = useStoredValue(theme);
  const scheme = chosen === 'system' ? 'light dark' : chosen;
  const { html, isWhole, hasRemoteImages } = useMemo(
    () => bodyDocument(body, { loadsImages, scheme, inlineImages }),
    [body, loadsImages, scheme, inlineImages],
  );
  const text = useMemo(() => (isText ? textDocument(textOf(body), scheme) : null), [isText, body, scheme]);
  if (body.trim() === '') return <p className="p-5 text-muted">This message is empty.</p>;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {!isWhole && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-canvas px-5 py-1.5 text-muted">
          <Scissors size={15} aria-hidden="true" />
          <span className="flex-1">
            {isText
              ? 'This is the text of the message, without its formatting.'
              : 'This message is too large to be shown whole. A part of it is left out.'}
          </span>
          <Button onClick={() => setIsText(!isText)}>
            {isText ? 'Show with formatting' : 'Show all as text'}
          </Button>
        </div>
      )}
      {hasRemoteImages && !loadsImages && !isText && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-canvas px-5 py-1.5 text-muted">
          <ImageOff size={15} aria-hidden="true" />
          <span className="flex-1">Remote images blocked to protect your privacy.</span>
          <Button onClick={() => setLoadsImages(true)}>Load images</Button>
        </div>
      )}
      <iframe
        // Remounts the frame, because the policy belongs to the document.
        key={`${loadsImages} ${isText}`}
        title={`Message: ${subject || 'no subject'}`}
        srcDoc={text ?? html}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        className="min-h-64 w-full flex-1 border-0 bg-surface"
      />
    </div>
  );
}
