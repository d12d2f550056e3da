import { X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { awaitDialog } from '../../keyboard/shortcuts.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { SaveView } from '../views/save-view.tsx';
import { activeFilters } from './active-filters.ts';
import type { FilterName } from './filter-fields.ts';
import { FilterMenu } from './filter-tools.ts';

/** The active filters: each can be changed and removed, and together they can be saved as a view. */
export function FilterChips({ base }: { base: string | null }) {
  const inbox = useInboxSearch();
  const directory = useSupportDirectory();
  const [changed, setChanged] = useState<FilterName | null>(null);
  const filters = activeFilters(inbox.search, directory);
  const { sort } = inbox.search;
  return (
    <div className="flex flex-wrap items-center gap-1.5 empty:hidden">
      {filters.length > 0 && (
        <ul aria-label="Filters" className="contents">
          {filters.map(({ name, label, field, without }) => (
            <li
              key={name}
              className="inline-flex min-h-6 max-w-full items-stretch rounded-md bg-selected text-xs text-accent"
            >
              {field ? (
                <button
                  type="button"
                  aria-label={`Change filter: ${label}`}
                  onClick={() => {
                    awaitDialog();
                    setChanged(field.name);
                  }}
                  className="min-w-0 truncate pr-1 pl-2 hover:underline"
                >
                  {label}
                </button>
              ) : (
                <span className="min-w-0 self-center truncate pr-1 pl-2">{label}</span>
              )}
              <button
                type="button"
                aria-label={`Remove filter: ${label}`}
                onClick={() => inbox.choose(without)}
                className="grid w-6 shrink-0 place-items-center hover:brightness-90"
              >
                <X size={13} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {filters.length > 1 && (
        <button
          type="button"
          onClick={() => inbox.choose(sort ? { sort } : {})}
          className="h-6 rounded-md px-1.5 text-xs text-muted hover:bg-hover hover:text-text"
        >
          Clear all
        </button>
      )}
      <SaveView base={base} />
      {changed && (
        <Suspense>
          <FilterMenu field={changed} onClose={() => setChanged(null)} />
        </Suspense>
      )}
    </div>
  );
}
