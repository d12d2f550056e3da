import { type MacroVariable, replaceVariables } from '@firmdesk/contract';

/** Returns a macro's text with its variables filled. A variable without a value stays, so that the writer replaces it. */
export function fillText(text: string, values: Record<MacroVariable, string>): string {
  return replaceVariables(text, (name, written) => values[name].trim() || written);
}

/** Returns the first variable that a text still has, as it is written. */
export function variableIn(text: string): string | null {
  let first: string | null = null;
  replaceVariables(text, (_name, written) => {
    first ??= written;
    return written;
  });
  return first;
}
