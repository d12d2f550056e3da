import { useState } from 'react';
import { useAccount } from '../session/account.ts';

const kept = new Map<string, unknown>();

/** `useState` whose value outlives the page in this window, for what was typed into a form and not saved. Null is not kept. */
export function useKept<Value>(
  name: string,
): [Value | null, (change: (now: Value | null) => Value | null) => void] {
  const key = `${useAccount().user.id} ${name}`;
  const [value, setValue] = useState<Value | null>((kept.get(key) as Value | undefined) ?? null);
  return [
    value,
    (change) =>
      setValue((now) => {
        const next = change(now);
        if (next === null) kept.delete(key);
        else kept.set(key, next);
        return next;
      }),
  ];
}
