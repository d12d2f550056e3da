import { X } from 'lucide-react';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { activeFilters } from './filter-labels.ts';

/** The active filters, each with a button that removes it. */
export function FilterChips() {
  const inbox = useInboxSearch();
  const directory = useSupportDirectory();
  const filters = activeFilters(inbox.search, directory);
  if (filters.length === 0) return null;
  const { sort } = inbox.search;
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      {filters.map(({ name, label, without }) => (
        <li key={name}>
          <button
            type="button"
            aria-label={`Remove filter: ${label}`}
            onClick={() => inbox.choose(without)}
            className="inline-flex h-6 max-w-56 items-center gap-1 rounded-md bg-selected pr-1 pl-2 text-xs text-accent hover:brightness-95"
          >
            <span className="truncate">{label}</span>
            <X size={13} aria-hidden="true" className="shrink-0" />
          </button>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <button
            type="button"
            onClick={() => inbox.choose(sort ? { sort } : {})}
            className="h-6 rounded-md px-1.5 text-xs text-muted hover:bg-hover hover:text-text"
          >
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}
