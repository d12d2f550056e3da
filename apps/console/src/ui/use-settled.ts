import { useEffect, useState } from 'react';

/** The pause in typing after which what is typed is searched. */
const TYPING_MS = 200;

/** Returns a value once it has stayed the same for {@link TYPING_MS}. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
