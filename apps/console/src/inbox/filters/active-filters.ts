import type { SupportDirectory } from '@firmdesk/contract';
import type { InboxSearch } from '../search/inbox-search.ts';
import { describeFilter, type FilterField, filterFields } from './filter-fields.ts';

/** An active filter: its label, and the search without it. The search text has no field. */
export interface ActiveFilter {
  name: keyof InboxSearch;
  label: string;
  field: FilterField | null;
  without: InboxSearch;
}

export function activeFilters(search: InboxSearch, directory: SupportDirectory | undefined): ActiveFilter[] {
  const without = (name: keyof InboxSearch) => {
    const { [name]: _, ...others } = search;
    return others;
  };
  const found = filterFields(directory).flatMap((field): ActiveFilter[] => {
    const { name } = field;
    const text = search[name];
    return text ? [{ name, label: describeFilter(field, text), field, without: without(name) }] : [];
  });
  const { q } = search;
  return q ? [...found, { name: 'q', label: `“${q}”`, field: null, without: without('q') }] : found;
}
