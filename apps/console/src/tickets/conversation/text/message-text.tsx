import { useId, useMemo, useState } from 'react';
import { RichText } from '../../../rich-text/rich-text.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { splitMentions } from '../../composer/mentions.ts';
import { splitLinks } from './split-links.ts';

/** A text that exceeds either limit is folded. */
const FOLDED = { characters: 1_500, lines: 20 };

/** The text of a message. URLs become links, and a long text is folded. */
export function MessageText({
  text,
  html = null,
  isWhole = false,
  mentioned = [],
}: {
  text: string;
  /** The text with formatting, if it has any. */
  html?: string | null | undefined;
  isWhole?: boolean;
  /** The colleagues whose mentions are emphasized. */
  mentioned?: readonly { name: string }[];
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isLong = !isWhole && (text.length > FOLDED.characters || text.split('\n').length > FOLDED.lines);
  const isFolded = isLong && !isOpen;
  return (
    <>
      <div
        id={id}
        className={classNames(
          'wrap-anywhere',
          html === null && 'paragraphs',
          isFolded && 'max-h-56 overflow-hidden mask-b-from-60%',
        )}
      >
        {html === null ? (
          <PlainText text={text} isFolded={isFolded} mentioned={mentioned} />
        ) : (
          <RichText
            html={html}
            isFolded={isFolded}
            showText={(part) => <PlainText text={part} isFolded={isFolded} mentioned={mentioned} />}
          />
        )}
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="mt-1 min-h-6 font-medium text-accent hover:underline"
        >
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
}

function PlainText({
  text,
  isFolded,
  mentioned,
}: {
  text: string;
  isFolded: boolean;
  mentioned: readonly { name: string }[];
}) {
  const parts = useMemo(() => splitLinks(text), [text]);
  return parts.map(({ text: part, href }, index) =>
    href === null ? (
      <Mentions key={index} text={part} mentioned={mentioned} />
    ) : (
      <a
        // Parts have no id of their own.
        key={index}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        // Folded links are not reachable by Tab.
        {...(isFolded && { tabIndex: -1 })}
        className="text-accent underline underline-offset-2"
      >
        {part}
      </a>
    ),
  );
}

function Mentions({ text, mentioned }: { text: string; mentioned: readonly { name: string }[] }) {
  if (mentioned.length === 0) return text;
  return splitMentions(text, mentioned).map((part, index) =>
    part.isMention ? (
      // Parts have no id of their own.
      <strong key={index} className="font-semibold text-accent">
        {part.text}
      </strong>
    ) : (
      part.text
    ),
  );
}
