import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { highlightFrame } from './highlight-frame.ts';

/** The frame of a longer message scrolls. A style can make a message of any height. */
const MAX_HEIGHT = 30_000;

/**
 * Shows a document in a frame as high as it is, with what was searched for highlighted. The document runs no code: its policy and the sandbox
 * forbid it. `allow-same-origin` lets only this page measure it.
 */
export function BodyFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { q } = useSearch({ strict: false });
  useEffect(() => {
    if (frame.current) highlightFrame(frame.current, q);
  }, [q]);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    let width = 0;
    // Whenever its width changes: lines wrap otherwise.
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === width) return;
      width = current.clientWidth;
      fit(current);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <iframe
      ref={frame}
      title={title}
      srcDoc={html}
      onLoad={({ currentTarget }) => {
        fit(currentTarget);
        highlightFrame(currentTarget, q);
      }}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      className="block h-24 w-full border-0 bg-surface"
    />
  );
}

/** Sets the height of a frame once, so that a document which fills its window does not grow for ever. */
function fit(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument?.documentElement;
  if (!content) return;
  frame.style.height = '0';
  frame.style.height = `${Math.min(content.scrollHeight, MAX_HEIGHT)}px`;
}
