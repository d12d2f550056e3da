import { useCallback, useMemo, useRef, useState } from 'react';

/** The selected rows of a list. A row that leaves the list is no longer selected. */
export function useSelection(ids: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** The row that a range starts at. */
  const anchor = useRef<string | null>(null);
  const shown = useRef(ids);
  shown.current = ids;
  const all = ids.join();
  const selected = useMemo(() => ids.filter((id) => chosen.has(id)), [all, chosen]);

  /** Toggles a row. With `isRange`, selects every row from the last toggled one to this one. */
  const toggle = useCallback((id: string, isRange: boolean) => {
    const from = isRange && anchor.current !== null ? shown.current.indexOf(anchor.current) : -1;
    const to = shown.current.indexOf(id);
    anchor.current = id;
    setChosen((before) => {
      const after = new Set(before);
      if (from >= 0) {
        for (const each of shown.current.slice(Math.min(from, to), Math.max(from, to) + 1)) after.add(each);
      } else if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);

  const clear = useCallback(() => setChosen(new Set()), []);
  const toggleAll = () => setChosen(selected.length === ids.length ? new Set() : new Set(ids));

  return { selected, has: (id: string) => chosen.has(id), toggle, toggleAll, clear };
}
