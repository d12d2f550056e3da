import { type KeyboardEvent, type RefCallback, useState } from 'react';

/**
 * The text of a field whose value is read from it. What cannot be read stays as it was typed, with its problem, and keeps the form from
 * being sent (see `FormDialog`).
 */
export function useTyped({
  shown,
  read,
  isWhole,
  onRead,
  problem,
}: {
  /** The value in words, while nothing is typed. */
  shown: string;
  /** Returns the value of a text, or null. */
  read(text: string): string | null;
  /** Whether a text that is still being typed can be read. Other texts are read when the field is left. */
  isWhole(text: string): boolean;
  onRead(value: string): void;
  /** What is wrong with a text, when the field was left. */
  problem(text: string): string;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const finish = () => {
    if (typed === null) return;
    const value = typed.trim() === '' ? '' : read(typed);
    setError(value === null ? problem(typed) : undefined);
    if (value === null) return;
    setTyped(null);
    onRead(value);
  };
  const validity: RefCallback<HTMLInputElement> = (input) => input?.setCustomValidity(error ?? '');
  return {
    error,
    clear() {
      setTyped(null);
      setError(undefined);
    },
    input: {
      ref: validity,
      type: 'text',
      autoComplete: 'off',
      value: typed ?? shown,
      onChange({ target }: { target: HTMLInputElement }) {
        setTyped(target.value);
        const value = isWhole(target.value) ? read(target.value) : null;
        if (value === null) return;
        setError(undefined);
        onRead(value);
      },
      onBlur: finish,
      onKeyDown(event: KeyboardEvent) {
        if (event.key === 'Enter') finish();
      },
    } as const,
  };
}
