import { asFirmdeskError, type FirmdeskErrorCode } from '@firmdesk/client';
import type { FieldError } from '@firmdesk/contract';

const NO_PERMISSION =
  'You don’t have the permission for this. An administrator of your firm can give it to you.';

/** What people read in place of the service's sentences that are about calls, tokens and resources. The other sentences are shown as they are. */
const sentences: Partial<Record<FirmdeskErrorCode, string>> = {
  resource_not_found: 'It doesn’t exist, was deleted, or you don’t have access to it.',
  forbidden: NO_PERMISSION,
  insufficient_scope: NO_PERMISSION,
  admin_access_required: 'Your account no longer belongs to this firm’s team.',
  workspace_not_permitted: 'You no longer have access to this firm.',
  precondition_failed: 'It was changed elsewhere meanwhile.',
  invalid_code: 'The code is wrong or was used before.',
  payload_too_large: 'It is too large.',
  invalid_cursor: 'The list has changed. Load it again.',
  rate_limited: 'That was too much at once. Wait a moment, then try again.',
  internal_error: 'Something went wrong. Try again, or report it with its number.',
  unexpected: 'Something went wrong. Try again.',
  network: 'The service can’t be reached.',
  timeout: 'The service took too long to answer. Try again.',
};

/** Returns why a call failed, in words for people. */
export function errorText(error: unknown): string {
  const { code, message, fields } = asFirmdeskError(error);
  // Ids come from links.
  if (fields.some((field) => field.message.includes('an id that'))) return sentences.resource_not_found!;
  if (fields.length > 0) return fields.map((field) => fieldText(field)).join(' ');
  if (code === 'unexpected' && error instanceof Error && error.name === 'Error') return message;
  return sentences[code] ?? message;
}

/** Returns the id with which a failure is found in the service's logs, if it is one that people may want to report. */
export function reportId(error: unknown): string | null {
  const { status, requestId } = asFirmdeskError(error);
  return status === null || status >= 500 ? requestId : null;
}

export function errorTextWithId(error: unknown): string {
  const id = reportId(error);
  return id === null ? errorText(error) : `${errorText(error)} (${id})`;
}

/** Returns what is wrong with a field: without the value that was sent, and with the field's label in place of its name. */
export function fieldText({ path, message }: FieldError, label = labelOf(path)): string {
  const rest = message
    .replace(`"${path}" `, '')
    .replace(/, got .*$/s, '.')
    .replace(/^must be the id of (.*)$/, 'must be $1');
  return `${label} ${rest}`;
}

/** `texts[0].first_name` becomes `First name`. */
function labelOf(path: string): string {
  const name =
    path
      .replace(/\[\d+\]/g, '')
      .split('.')
      .at(-1) || 'this';
  const words = name.replaceAll('_', ' ').replace(/ ids?$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
