/**
 * Every error code of the service: those of contract §7 and the few that HTTP needs.
 *
 * - `status`: the HTTP status.
 * - `message`: the message of an error that is raised without a more precise one. Clients must not parse it.
 * - `replayed`: whether the refusal followed a lookup. It is then stored under its idempotency key and replayed.
 * - `field`: the field that the code is about, where there is only one.
 * - `queryStatus`: the status for a query string, where it is another one.
 */
export const errorTable = {
  missing_idempotency_key: entry(400, 'Every POST needs the header Idempotency-Key with a UUID.'),
  not_a_draft: entry(400, '"draft_id" must be the id of a draft.', { replayed: true, field: 'draft_id' }),
  nothing_to_mark: entry(400, '"ids" must have at least one id, unless "all" is true.', { field: 'ids' }),
  invalid_date: entry(400, 'A date must be an ISO 8601 date or date-time.'),
  invalid_window: entry(400, '"until" must be after "from".', { field: 'until' }),
  window_too_wide: entry(400, '"until" must be at most 92 days after "from".', { field: 'until' }),
  workspace_required: entry(400, 'Name a firm in the header Service-Workspace.'),
  invalid_sort: entry(400, '"sort" must be one of the orders of this list.', { field: 'sort' }),
  invalid_limit: entry(400, '"limit" must be an integer between 1 and 100.', { field: 'limit' }),
  invalid_cursor: entry(400, '"starting_after" must be a cursor of this list.', { field: 'starting_after' }),
  invalid_status: entry(400, '"status" must be one of the statuses of this list.', { field: 'status' }),
  invalid_token: entry(401, 'A valid bearer token is required.'),
  revoked_token: entry(401, 'This token was revoked.'),
  expired_token: entry(401, 'This token has expired.'),
  invalid_credentials: entry(401, 'Incorrect email or password.'),
  second_factor_required: entry(
    401,
    'The account has a second factor: repeat the sign-in with a code, and with the challenge in place of the password.',
  ),
  invalid_code: entry(401, '"code" is wrong or was used before.', { field: 'code' }),
  insufficient_scope: entry(403, 'The token lacks a scope that this call requires.'),
  admin_access_required: entry(403, 'This account is not an administrator of this workspace.'),
  workspace_not_permitted: entry(403, 'This account may not act in this workspace.'),
  forbidden: entry(403, 'This account lacks a permission that this call requires.'),
  fresh_sign_in_required: entry(
    403,
    'This call needs a session that was opened or confirmed within the last 5 minutes.',
  ),
  provider_required: entry(403, 'The firm is signed in to by its single sign-on only.'),
  calendar_not_permitted: entry(403, 'This account may not open any calendar.'),
  resource_not_found: entry(404, 'No such resource exists.', { replayed: true }),
  method_not_allowed: entry(405, 'This path does not support this method.'),
  ticket_ended: entry(409, 'The ticket is resolved or closed.', { replayed: true }),
  calendar_limit_reached: entry(409, 'The account owns the maximum number of calendars.', { replayed: true }),
  event_limit_reached: entry(409, 'The calendar holds the maximum number of events.', { replayed: true }),
  attachment_limit_reached: entry(
    409,
    'The account has uploaded the maximum number of files that no message contains: send or remove some.',
    { replayed: true },
  ),
  macro_limit_reached: entry(409, 'The firm has the maximum number of macros.', { replayed: true }),
  rule_limit_reached: entry(409, 'The firm has the maximum number of rules.', { replayed: true }),
  assistant_unavailable: entry(409, 'The firm has switched the assistant off for its team.', {
    replayed: true,
  }),
  pre_registration_ended: entry(409, 'The pre-registration is claimed, revoked or expired.', {
    replayed: true,
  }),
  invite_ended: entry(409, 'The invite was accepted or revoked, or has expired: ask for another.', {
    replayed: true,
  }),
  reply_sent: entry(409, 'The reply has been sent and can no longer be taken back.'),
  already_sent: entry(409, 'The message is being sent, and can no longer be taken back.'),
  undo_expired: entry(409, 'The change can no longer be undone.'),
  newer_messages: entry(409, 'Others have written on this ticket since the message in "seen_message_id".'),
  provider_failed: entry(409, 'The sign-in provider of the firm cannot be used.'),
  challenge_expired: entry(409, 'The link or the challenge has expired or was used: start again.'),
  idempotency_key_in_use: entry(409, 'A call with this Idempotency-Key is still running.'),
  precondition_failed: entry(412, 'The resource has changed since the version named in If-Match.', {
    replayed: true,
  }),
  payload_too_large: entry(413, 'The body is too large.'),
  unsupported_media_type: entry(415, 'The body must be sent as application/json.'),
  validation_failed: entry(422, 'A field is missing or invalid.', { queryStatus: 400 }),
  rate_limited: entry(429, 'Too many calls. Wait as long as the header Retry-After says.'),
  internal_error: entry(500, 'An internal error occurred. Report it with the request id.'),
  unavailable: entry(503, 'The service is temporarily unavailable. Try again.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

export interface ErrorEntry {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503;
  message: string;
  replayed: boolean;
  field: string | null;
  queryStatus: 400 | null;
}

/** Returns the paragraph about a code in the guide to errors, relative to the service's origin. */
export function errorDocumentation(code: ErrorCode): string {
  return `/docs/guides/errors#${code}`;
}

/** A value that a field may have, and its display name. */
export interface FieldChoice {
  value: string;
  name: string;
}

/** An invalid field. `path` is like `to[2]`, and empty for the body itself; `message` is a sentence. */
export interface FieldError {
  path: string;
  message: string;
  /** The allowed values, where the caller must choose one of a few. */
  choices?: FieldChoice[];
}

function entry<const Status extends ErrorEntry['status']>(
  status: Status,
  message: string,
  {
    replayed = false,
    field = null,
    queryStatus = null,
  }: Partial<Omit<ErrorEntry, 'status' | 'message'>> = {},
) {
  return { status, message, replayed, field, queryStatus };
}
