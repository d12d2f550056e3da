import { History } from 'lucide-react';
import { useEffect } from 'react';
import { classNames } from '../../ui/class-names.ts';
import type { Suggestion } from './search-suggestions.ts';

const names = { recent: 'Recent searches', operator: 'Operators', value: 'Values' };

/**
 * What can be chosen below the search field. The focus stays in the field.
 *
 * @param props.id the beginning of the DOM ids of the list and its options
 */
export function SearchOptions({
  id,
  suggestions,
  active,
  onChoose,
}: {
  id: string;
  suggestions: readonly Suggestion[];
  active: number;
  onChoose(suggestion: Suggestion): void;
}) {
  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const groups = [...Map.groupBy(suggestions.entries(), ([, { kind }]) => kind)];
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Suggestions"
      // A list that can be scrolled is a stop of Tab otherwise.
      tabIndex={-1}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-40 mt-1 max-h-[min(26rem,60dvh)] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
    >
      {groups.map(([kind, entries]) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
        <div key={kind} role="group" aria-label={names[kind]}>
          <p aria-hidden="true" className="px-2 py-1 text-xs text-muted">
            {names[kind]}
          </p>
          {entries.map(([index, suggestion]) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
            <div
              key={suggestion.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              onClick={() => onChoose(suggestion)}
              className={classNames(
                'flex min-h-8 items-center gap-2 rounded px-2 hover:bg-hover max-md:min-h-11',
                index === active && 'bg-selected',
              )}
            >
              {kind === 'recent' && <History size={13} aria-hidden="true" className="shrink-0 text-muted" />}
              <span className="truncate">{suggestion.label}</span>
              {suggestion.hint && <span className="truncate text-xs text-muted">{suggestion.hint}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
