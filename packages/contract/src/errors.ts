/**
 * Every error code that leaves the service: the table of contract §7 and the few that HTTP itself brings.
 *
 * - `status`: the HTTP status.
 * - `message`: what is said when the place that refuses has nothing more precise to say. Prose, never parsed.
 * - `replayed`: a refusal that followed a lookup; it is kept under its idempotency key and replayed.
 */
export const errorTable = {
  missing_idempotency_key: entry(400, 'A POST needs the header Idempotency-Key: a UUID.'),
  not_a_draft: entry(400, 'That message is not a draft.', true),
  nothing_to_mark: entry(400, 'Send `ids`, or `all`: true.'),
  invalid_date: entry(400, 'A date is not ISO 8601.'),
  invalid_window: entry(400, '`until` must be after `from`.'),
  window_too_wide: entry(400, 'A window holds at most 92 days.'),
  workspace_required: entry(400, 'Name the firm in the header Service-Workspace.'),
  invalid_sort: entry(400, '`sort` is not one of the orders of this list.'),
  invalid_limit: entry(400, '`limit` must be a positive integer.'),
  invalid_cursor: entry(400, '`starting_after` is not a cursor of this list.'),
  invalid_status: entry(400, '`status` is not one of the states of this list.'),
  invalid_token: entry(401, 'A valid bearer token is needed.'),
  revoked_token: entry(401, 'This token was signed out.'),
  expired_token: entry(401, 'This token has expired.'),
  invalid_credentials: entry(401, 'Email or password is wrong.'),
  insufficient_scope: entry(403, 'The token lacks the scope that this call needs.'),
  admin_access_required: entry(403, 'This account does not help run the environment.'),
  workspace_not_permitted: entry(403, 'This account cannot act in that environment.'),
  forbidden: entry(403, 'This account lacks the permission that this call needs.'),
  calendar_not_permitted: entry(403, 'This account may not open any calendar.'),
  resource_not_found: entry(404, 'There is no such resource.', true),
  method_not_allowed: entry(405, 'This path does not take that method.'),
  ticket_ended: entry(409, 'The ticket is resolved or closed.', true),
  calendar_limit_reached: entry(409, 'The account owns as many calendars as it may.', true),
  event_limit_reached: entry(409, 'The calendar holds as many events as it may.', true),
  assistant_unavailable: entry(409, 'The firm has switched the assistant off for its team.', true),
  pre_registration_ended: entry(409, 'The pre-registration is claimed, revoked or expired.', true),
  idempotency_key_in_use: entry(409, 'A call with this Idempotency-Key is still running.'),
  precondition_failed: entry(412, 'The resource is no longer as `If-Match` names it.', true),
  payload_too_large: entry(413, 'The body is too large.'),
  unsupported_media_type: entry(415, 'Send the body as application/json.'),
  validation_failed: entry(422, 'A field is missing or malformed.'),
  rate_limited: entry(429, 'Too many calls; wait as long as Retry-After says.'),
  internal_error: entry(500, 'Something went wrong on our side.'),
  unavailable: entry(503, 'The service cannot answer just now; try again.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

export interface ErrorEntry {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503;
  message: string;
  replayed: boolean;
}

/** A value that a field may have, and its name for people. */
export interface FieldChoice {
  value: string;
  name: string;
}

/** One field that was refused; `path` is like `to[2]` and empty for the body itself. */
export interface FieldError {
  path: string;
  message: string;
  /** The values that it may have, where the caller must choose one of a few. */
  choices?: FieldChoice[];
}

function entry<const Status extends ErrorEntry['status']>(status: Status, message: string, replayed = false) {
  return { status, message, replayed };
}
