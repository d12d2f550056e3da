import type { RichNode } from '@firmdesk/contract';
import { Fragment, type ReactNode, useMemo } from 'react';
import { parseRichText } from './parse-rich-text.ts';

/** A formatted text, whose elements are made anew: nothing of its HTML gets into the page. */
export function RichText({
  html,
  isFolded,
  showText,
}: {
  html: string;
  /** Folded links are not reachable by Tab. */
  isFolded: boolean;
  /** Returns how a part of the text without formatting is shown. */
  showText(text: string): ReactNode;
}) {
  const nodes = useMemo(() => parseRichText(html), [html]);
  return <div className="rich-text">{show(nodes, { isFolded, showText })}</div>;
}

type Look = Pick<Parameters<typeof RichText>[0], 'isFolded' | 'showText'>;

function show(nodes: readonly RichNode[], look: Look): ReactNode[] {
  return nodes.map((node, index) => {
    // Parts have no id of their own.
    if (typeof node === 'string') return <Fragment key={index}>{look.showText(node)}</Fragment>;
    const { tag: Tag, href, start, children } = node;
    if (Tag === 'br') return <br key={index} />;
    if (Tag === 'img') return null;
    if (Tag === 'a')
      return (
        <a
          key={index}
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          {...(look.isFolded && { tabIndex: -1 })}
          className="text-accent underline underline-offset-2"
        >
          {show(children, { ...look, showText: (text) => text })}
        </a>
      );
    const content = show(children, look);
    if (Tag === 'ol')
      return (
        <ol key={index} start={start}>
          {content}
        </ol>
      );
    // Each paragraph has the direction of its own text.
    return (
      <Tag key={index} dir="auto">
        {content}
      </Tag>
    );
  });
}
