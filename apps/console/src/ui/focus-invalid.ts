import { type RefObject, useEffect } from 'react';

/** Moves the focus to the first invalid field of a form, which may be out of view, when `result` changes. */
export function useFocusInvalid(form: RefObject<HTMLElement | null>, result: unknown): void {
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [result]);
}
