import type { OpenMailMessage } from '@firmdesk/contract';
import { Ellipsis, ImageOff, Scissors } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStoredValue } from '../../stored-value.ts';
import { theme } from '../../theme.ts';
import { Button } from '../../ui/button.tsx';
import { bodyDocument, textDocument } from './body-document.ts';
import { BodyFrame } from './body-frame.tsx';
import { useInlineImages } from './inline-images.ts';
import { textOf } from './shown-part.ts';

interface MessageBodyProps {
  body: string;
  subject: string;
  /** Files of the message, among them images that the HTML shows. */
  attachments?: OpenMailMessage['attachments'];
  /** Whether the message that it answers is left out at first. */
  foldsQuoted?: boolean;
}

const NO_FILES: OpenMailMessage['attachments'] = [];
const NOTICE =
  'flex flex-wrap items-center gap-x-3 gap-y-1 border-y border-line bg-canvas px-5 py-1.5 text-muted';

/**
 * The HTML of a message in a sandboxed frame. Remote images are loaded on request. A message that would keep the browser busy is shown in
 * part, and as text on request. The quoted message at its end is shown on request.
 */
export function MessageBody({
  body,
  subject,
  attachments = NO_FILES,
  foldsQuoted = false,
}: MessageBodyProps) {
  const inlineImages = useInlineImages({ body, attachments });
  const [loadsImages, setLoadsImages] = useState(false);
  const [isText, setIsText] = useState(false);
  const [folds, setFolds] = useState(foldsQuoted);
  const chosen = useStoredValue(theme);
  const scheme = chosen === 'system' ? 'light dark' : chosen;
  const { html, isWhole, hasRemoteImages, isFolded } = useMemo(
    () => bodyDocument(body, { loadsImages, scheme, inlineImages, foldsQuoted: folds }),
    [body, loadsImages, scheme, inlineImages, folds],
  );
  const text = useMemo(() => (isText ? textDocument(textOf(body), scheme) : null), [isText, body, scheme]);
  if (body.trim() === '') return <p className="p-5 text-muted">This message is empty.</p>;
  return (
    <>
      {!isWhole && (
        <div className={NOTICE}>
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
        <div className={NOTICE}>
          <ImageOff size={15} aria-hidden="true" />
          <span className="flex-1">Remote images blocked to protect your privacy.</span>
          <Button onClick={() => setLoadsImages(true)}>Load images</Button>
        </div>
      )}
      <BodyFrame
        // Remounts the frame, because the policy belongs to the document.
        key={`${loadsImages} ${isText}`}
        title={`Message: ${subject || 'no subject'}`}
        html={text ?? html}
      />
      {!isText && (isFolded || (foldsQuoted && !folds)) && (
        <Button
          variant="quiet"
          className="mx-4 mb-3"
          aria-expanded={!isFolded}
          onClick={() => setFolds(!folds)}
        >
          <Ellipsis size={15} aria-hidden="true" />
          {isFolded ? 'Show quoted text' : 'Hide quoted text'}
        </Button>
      )}
    </>
  );
}
