import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { TextField } from '../ui/fields/field.tsx';
import { RowMenu } from '../ui/overlays/row-menu.tsx';
import { EmptyState } from '../ui/states.tsx';
import { useTableFocus } from '../ui/use-table-focus.ts';
import { type SortKey, shownRows } from './shown-rows.ts';

export interface Column<Row> {
  label: string;
  isLabelHidden?: boolean;
  /** The width, and on which screens it is hidden. */
  className?: string;
  cell(row: Row): ReactNode;
  /** By what rows are sorted when the heading is chosen. */
  sortBy?: (row: Row) => SortKey;
  /** For a list that is loaded page by page: the name of the order, by which the service sorts all of it. */
  order?: string;
}

const head = 'px-3 py-2 text-left text-xs font-medium text-muted';
const cell = 'px-3 py-2 align-middle';

/** A list of the settings: sorted by its headings, filtered by a text, with a menu for each row. The first column names the row. */
export function SettingsTable<Row>({
  caption,
  rows,
  idOf,
  nameOf,
  textOf,
  columns,
  order,
  actions,
  empty,
}: {
  caption: string;
  rows: readonly Row[];
  idOf(row: Row): string | number;
  nameOf(row: Row): string;
  /** What the filter searches. Left out where the page has filters of its own. */
  textOf?(row: Row): string;
  columns: readonly Column<Row>[];
  /** The order of the service, with a minus for the reverse, and what chooses another one: undefined for that of the list. */
  order?: { value: string | undefined; onChange(value: string | undefined): void };
  /** The menu of a row; null for a row without one. Left out for a table without menus. */
  actions?(row: Row): ReactNode;
  /** Shown in place of a list without rows. */
  empty: ReactNode;
}) {
  const focus = useTableFocus();
  const [filter, setFilter] = useState('');
  const [sort, setSort] = useState<{ column: number; isDown: boolean } | null>(null);
  // The row that a link names, as those of the audit log do.
  const [named] = useState(() => decodeURIComponent(location.hash.slice(1)));
  const hasRows = rows.length > 0;
  useEffect(() => {
    if (!hasRows || named === '') return;
    const row = [...(focus.ref.current?.tBodies[0]?.rows ?? [])].find(
      ({ dataset }) => dataset['row'] === named,
    );
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector<HTMLElement>('button, a[href], [tabindex]')?.focus();
  }, [hasRows, named]);
  if (!hasRows) return empty;
  const shown = shownRows(rows, {
    text: filter,
    textOf: textOf ?? (() => ''),
    sortBy: sort && (columns[sort.column]?.sortBy ?? null),
    isDown: sort?.isDown ?? false,
  });
  const sortOf = (column: number, name: string | undefined) => {
    if (name === undefined) return sort?.column === column ? sort : null;
    const isDown = order?.value === `-${name}`;
    return isDown || order?.value === name ? { isDown } : null;
  };
  const sortBy = (column: number, name: string | undefined) => {
    const was = sortOf(column, name);
    if (name !== undefined) order?.onChange(was === null ? name : was.isDown ? undefined : `-${name}`);
    else setSort(was?.isDown ? null : { column, isDown: was !== null });
  };
  return (
    <div className="space-y-2">
      {textOf && (
        <TextField
          type="search"
          label={`Filter: ${caption}`}
          isLabelHidden
          placeholder="Filter"
          className="max-w-64"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <table {...focus} className="w-full table-fixed border-collapse">
          <caption className="sr-only">{caption}</caption>
          <thead className="border-b border-line">
            <tr>
              {columns.map(({ label, isLabelHidden, className = '', sortBy: key, order: name }, index) => {
                const sorted = sortOf(index, name);
                const Arrow = sorted?.isDown ? ChevronDown : ChevronUp;
                return (
                  <th
                    key={label}
                    scope="col"
                    className={`${head} ${className}`}
                    {...(sorted && { 'aria-sort': sorted.isDown ? 'descending' : 'ascending' })}
                  >
                    {key || name ? (
                      <button
                        type="button"
                        className="inline-flex items-center gap-1 hover:text-text"
                        onClick={() => sortBy(index, name)}
                      >
                        {label}
                        {sorted && <Arrow size={12} aria-hidden="true" />}
                      </button>
                    ) : (
                      <span className={isLabelHidden ? 'sr-only' : ''}>{label}</span>
                    )}
                  </th>
                );
              })}
              {actions && (
                <th scope="col" className={`${head} w-14`}>
                  <span className="sr-only">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {shown.map((row) => {
              const menu = actions?.(row);
              return (
                <tr
                  key={idOf(row)}
                  data-row={idOf(row)}
                  className={String(idOf(row)) === named ? 'bg-hover' : undefined}
                >
                  {columns.map(({ label, className = '', cell: content }, index) =>
                    index === 0 ? (
                      <th key={label} scope="row" className={`${cell} text-left font-normal`}>
                        {content(row)}
                      </th>
                    ) : (
                      <td key={label} className={`${cell} ${className.replace(/\bw-\d+\b/, '')}`}>
                        {content(row)}
                      </td>
                    ),
                  )}
                  {actions && (
                    <td className={`${cell} text-right`}>
                      {menu && <RowMenu name={nameOf(row)}>{menu}</RowMenu>}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && <EmptyState title="Nothing matches">Change or clear the filter.</EmptyState>}
    </div>
  );
}
