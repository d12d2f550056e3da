import { useCallback, useMemo, useState } from 'react';

/** The conversations of a list that are selected: some, or all of the list, also those that are not loaded. */
export interface MailSelection {
  isAll: boolean;
  count: number;
  has(thread: number): boolean;
  threads(): number[];
  toggle(thread: number): void;
  selectAll(): void;
  clear(): void;
}

const NOTHING: { list: string; isAll: boolean; threads: ReadonlySet<number> } = {
  list: '',
  isAll: false,
  threads: new Set(),
};

/** Returns the selection of a list, which ends when another list is shown. */
export function useMailSelection(list: string): MailSelection {
  const [state, setState] = useState(NOTHING);
  const { isAll, threads } = state.list === list ? state : NOTHING;
  const toggle = useCallback(
    (thread: number) =>
      setState((before) => {
        const chosen = new Set(before.list === list ? before.threads : []);
        if (!chosen.delete(thread)) chosen.add(thread);
        return { list, isAll: false, threads: chosen };
      }),
    [list],
  );
  const selectAll = useCallback(() => setState({ list, isAll: true, threads: new Set() }), [list]);
  const clear = useCallback(() => setState(NOTHING), []);
  return useMemo(
    () => ({
      isAll,
      count: threads.size,
      has: (thread) => isAll || threads.has(thread),
      threads: () => [...threads],
      toggle,
      selectAll,
      clear,
    }),
    [isAll, threads, toggle, selectAll, clear],
  );
}
