import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { InboxSearch } from '../inbox/search/inbox-search.ts';
import { usePermission } from '../session/account.ts';

/** A part of a report with its heading. */
export function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface p-4">
      <h2 className="font-semibold">{title}</h2>
      {hint && <p className="text-xs text-muted">{hint}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}

/** A figure that opens its tickets, if the reader may see tickets. */
export function TicketsLink({ search, children }: { search: InboxSearch; children: ReactNode }) {
  if (!usePermission('view_tickets')) return children;
  return (
    <Link to="/tickets" search={search} className="underline decoration-line-strong underline-offset-2">
      {children}
    </Link>
  );
}

/** A table. The first cell of each row is its heading. */
export function FigureTable({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  if (rows.length === 0) return <p className="text-muted">Nothing in this period.</p>;
  return (
    <div className="overflow-x-auto">
      <table className="w-full">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-left text-xs text-muted">
            {columns.map((column, i) => (
              <th
                key={column}
                scope="col"
                className={i === 0 ? 'py-1 font-medium' : 'py-1 pl-3 text-right font-medium'}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...others] }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {first}
              </th>
              {others.map((cell, i) => (
                <td key={i} className="py-1 pl-3 text-right whitespace-nowrap">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A chart, with its figures as a table, which screen readers read instead. */
export function ChartPart({
  title,
  hint,
  chart,
  ...table
}: { title: string; hint?: string; chart: ReactNode } & Omit<Parameters<typeof FigureTable>[0], 'caption'>) {
  return (
    <Part title={title} {...(hint !== undefined && { hint })}>
      {chart}
      <details className="mt-2">
        <summary className="cursor-pointer text-xs text-muted">As a table</summary>
        <FigureTable caption={title} {...table} />
      </details>
    </Part>
  );
}
