import { type ReactNode, useEffect } from 'react';
import { keepFocusInLists } from './list-focus.ts';
import { setPageTitle } from './page-title.ts';

/** A page with its heading. `actions` are shown on the right of the heading. */
export function Page({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div ref={keepFocusInLists} className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-2 border-b border-line px-5 py-2">
        <h1 className="text-base font-semibold">{title}</h1>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className="min-h-0 flex-1 overflow-auto">{children}</div>
    </div>
  );
}

/** Sets the document's title. */
export function usePageTitle(title: string): void {
  useEffect(() => setPageTitle(title), [title]);
}
