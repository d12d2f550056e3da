import { type RefObject, useEffect } from 'react';

/** Moves the focus to the first invalid field of a form, which may be out of view, when `result` changes. */
export function useFocusInvalid(form: RefObject<HTMLElement | null>, result: unknown): void {
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [result]);
}

/** Moves the focus to the first field of a form whose text could not be read, and returns whether there is one. */
export function focusUnread(form: HTMLFormElement): boolean {
  const unread = [...form.querySelectorAll('input')].find(({ validity }) => validity.customError);
  unread?.focus();
  return unread !== undefined;
}
