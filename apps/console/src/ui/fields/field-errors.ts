import { asFirmdeskError } from '@firmdesk/client';
import type { FieldError } from '@firmdesk/contract';
import { errorTextWithId, fieldText } from '../error-text.ts';

/** Returns the service's error for an input, with the input's label in place of the field's name. */
export function fieldError(error: unknown, path: string, label: string): string | undefined {
  const found = fieldsOf(error).find((field) => field.path === path || field.path.startsWith(`${path}[`));
  if (found?.message.includes('must be an email address')) return 'Enter a valid email address.';
  return found && fieldText(found, label);
}

/** Returns the errors that belong to none of the shown inputs, or null if there are none. */
export function formError(error: unknown, shown: readonly string[]): string | null {
  if (!error) return null;
  const fields = fieldsOf(error);
  const isShown = ({ path }: FieldError) => shown.some((one) => path === one || path.startsWith(`${one}[`));
  if (fields.length > 0 && fields.every(isShown)) return null;
  const others = fields.filter((field) => !isShown(field)).map((field) => fieldText(field));
  return others.length > 0 ? others.join(' ') : errorTextWithId(error);
}

function fieldsOf(error: unknown): readonly FieldError[] {
  return error ? asFirmdeskError(error).fields : [];
}
