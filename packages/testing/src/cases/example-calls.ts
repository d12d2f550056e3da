import {
  DRAFT_BODY_LIMIT,
  type ErrorCode,
  type Scope,
  type TokenEnvironment,
  type TokenKind,
} from '@firmdesk/contract';
import type { ProcedureSpec } from '@firmdesk/domain';
import type { ImportResult } from '@firmdesk/seed';
import { DEMO_EMAIL, DEMO_PASSWORD } from '@firmdesk/seed/demo-account';

/** A call with the demo data. `token` is a key of the demo's tokens; null sends none. */
export interface ExampleCall {
  token?: string | null;
  workspace?: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Null sends no `Idempotency-Key`. */
  key?: null;
  headers?: Record<string, string>;
}

/** The examples of an operation: calls that succeed, and one for each error code of its own. */
interface OperationExamples {
  calls: ExampleCall[];
  errors?: Partial<Record<ErrorCode, ExampleCall>>;
}

/** A suspended firm, with an account that has the password of the demo and the token `suspended`. */
export const SUSPENDED = { slug: 'halden', name: 'Halden Capital', email: 'nora@halden.example' };

/** A firm that is signed in to by its provider only, with an account that has the password of the demo. */
export const PROVIDER_ONLY = { slug: 'solberg', name: 'Solberg Trading', email: 'erik@solberg.example' };

/** An administrator with a second factor, the password of the demo, and the token `unconfirmed` of an old session. */
export const SECOND_FACTOR = { email: 'ida@northgate.example' };

const UNKNOWN = '00000000000000000000000000';

/** Returns the example calls of each operation, by tag, in the order in which they are made. */
export function exampleCalls({
  ids,
  tokens,
}: ImportResult): Record<string, Record<string, OperationExamples>> {
  const {
    mailboxes,
    messages,
    tickets,
    pre_registrations: reservations,
  } = ids as Record<string, Record<string, string | number>>;
  const idOf = (id: string | number | undefined) => ({ id: String(id) });
  const draft = {
    address_id: mailboxes!['support'],
    to: ['anders.nystrom@example.net'],
    subject: 'Your payout of Monday',
    body: '<p>Hi Anders, it left our bank this morning.</p>',
  };
  const phone = {
    app: 'mail',
    environment: 'production',
    token: 'a3f1'.repeat(16),
    timezone: 'Europe/London',
    app_version: '3.9.0',
  };
  const instruction = 'Thank him, and ask for a statement that shows both holders.';
  const ai = (ticket: string, body: object = { instruction }) => ({
    params: { ticket: String(tickets![ticket] ?? ticket) },
    body: body as Record<string, unknown>,
  });
  return {
    ping: { 'GET /v1/ping': { calls: [{}] } },
    mail: {
      'POST /v1/me/mail/drafts': {
        calls: [{ body: draft }],
        errors: {
          not_a_draft: { body: { ...draft, draft_id: messages!['maya-macro-ideas-1'] } },
          resource_not_found: { body: { ...draft, address_id: 999_999 } },
          precondition_failed: { body: draft, headers: { 'if-match': '"2026-11-23T09:14:07.118000Z"' } },
          validation_failed: { body: { ...draft, to: ['anders.nystrom'] } },
        },
      },
      'GET /v1/me/mail/mailboxes': { calls: [{}] },
      'GET /v1/me/mail/messages': {
        calls: [{ query: { limit: '2' } }],
        errors: {
          invalid_limit: { query: { limit: '0' } },
          invalid_cursor: { query: { starting_after: 'msg_1' } },
          resource_not_found: { query: { address_id: '999999' } },
          validation_failed: { query: { folder: 'outbox' } },
        },
      },
      'GET /v1/me/mail/messages/{id}': {
        calls: [{ params: idOf(messages!['support-outage-apology-2']) }],
        errors: { resource_not_found: { params: idOf(`msg_${UNKNOWN}`) } },
      },
      'POST /v1/me/mail/messages': {
        calls: [{ body: { ...draft, in_reply_to: messages!['support-outage-apology-1'] } }],
        errors: {
          not_a_draft: { body: { ...draft, draft_id: messages!['maya-macro-ideas-1'] } },
          resource_not_found: { body: { ...draft, attachments: [`matt_${UNKNOWN}`] } },
          validation_failed: { body: { ...draft, to: [] } },
        },
      },
      'DELETE /v1/me/mail/messages/{id}/sending': {
        calls: [{ params: idOf(messages!['support-press-2']) }],
        errors: {
          already_sent: { params: idOf(messages!['support-outage-apology-2']) },
          resource_not_found: { params: idOf(`msg_${UNKNOWN}`) },
        },
      },
      'POST /v1/me/mail/messages/mark': {
        calls: [{ body: { ids: [messages!['maya-macro-ideas-1']], is_read: true } }],
        errors: { validation_failed: { body: { ids: [], is_read: true } } },
      },
      'POST /v1/me/mail/messages/move': {
        calls: [{ body: { ids: [messages!['maya-macro-ideas-1']], folder: 'archive' } }],
        errors: { validation_failed: { body: { ids: [messages!['maya-macro-ideas-1']], folder: 'sent' } } },
      },
      'POST /v1/me/mail/messages/delete': {
        calls: [{ body: { ids: [messages!['maya-macro-ideas-1']] } }],
        errors: { validation_failed: { body: { ids: ['17'] } } },
      },
      'POST /v1/me/mail/attachments': {
        calls: [{ body: { address_id: mailboxes!['support'], name: 'statement.pdf', size: 48_213 } }],
        errors: {
          resource_not_found: { body: { address_id: 999_999, name: 'statement.pdf', size: 48_213 } },
          validation_failed: { body: { address_id: mailboxes!['support'], name: 'empty.pdf', size: 0 } },
        },
      },
      'POST /v1/me/mail/messages/{id}/restore': {
        calls: [{ params: idOf(messages!['maya-dentist-1']), body: { conversation: false } }],
        errors: {
          resource_not_found: { params: idOf(`msg_${UNKNOWN}`) },
          validation_failed: { params: idOf(messages!['maya-dentist-1']), body: { conversation: 'yes' } },
        },
      },
    },
    calendar: {
      'GET /v1/me/calendar/events': {
        calls: [{ query: { from: '2026-11-23', until: '2026-11-24' } }],
        errors: {
          invalid_date: { query: { from: '23.11.2026' } },
          invalid_window: { query: { from: '2026-11-24', until: '2026-11-23' } },
          window_too_wide: { query: { from: '2026-11-23', until: '2027-11-23' } },
          validation_failed: { query: { 'calendars[]': '\0' } },
          calendar_not_permitted: { token: 'no-calendar' },
        },
      },
    },
    devices: {
      'POST /v1/me/devices': {
        calls: [
          { token: 'device', body: phone },
          { token: 'device', body: phone },
        ],
        errors: { validation_failed: { body: { ...phone, token: 'abc' } } },
      },
      'GET /v1/me/devices/pushes': { calls: [{ token: 'reporting' }] },
    },
    notifications: {
      'POST /v1/me/notifications/read': {
        calls: [{ body: { all: true } }],
        errors: { nothing_to_mark: { body: {} }, validation_failed: { body: { ids: ['17'] } } },
      },
    },
    tickets: {
      'GET /v1/admin/tickets': {
        calls: [{ query: { status: 'waiting', limit: '2' } }],
        errors: {
          invalid_sort: { query: { sort: 'subject' } },
          invalid_limit: { query: { limit: '0' } },
          invalid_cursor: { query: { starting_after: 'x' } },
          validation_failed: { query: { status: 'new' } },
        },
      },
      'POST /v1/admin/tickets/{ticket}/ai': {
        calls: [ai('approved-not-paid')],
        errors: {
          resource_not_found: ai(`tkt_${UNKNOWN}`),
          newer_messages: ai('approved-not-paid', { instruction, seen_message_id: null }),
          ticket_ended: ai('chargeback'),
          assistant_unavailable: { token: 'harbor', ...ai('harbor-login') },
          validation_failed: ai('approved-not-paid', { instruction: '' }),
        },
      },
    },
    affiliates: {
      'GET /v1/affiliates/pre-registrations': {
        calls: [{ query: { status: 'pending', limit: '2' } }],
        errors: {
          invalid_limit: { query: { limit: '-1' } },
          invalid_cursor: { query: { starting_after: `aff_pre_${UNKNOWN}` } },
          invalid_status: { query: { status: 'open' } },
          validation_failed: { query: { email: '\0' } },
        },
      },
      'POST /v1/affiliates/pre-registrations/{id}/resend': {
        calls: [{ params: idOf(reservations!['pre-registration-bea10']) }],
        errors: {
          pre_registration_ended: { params: idOf(reservations!['pre-registration-northgate50']) },
          resource_not_found: { params: idOf(`aff_pre_${UNKNOWN}`) },
        },
      },
    },
    sessions: {
      'GET /v1/me/sessions': { calls: [{ token: 'maya-iphone' }] },
      'POST /v1/sessions': {
        calls: [
          { token: null, body: { email: DEMO_EMAIL, password: DEMO_PASSWORD, name: 'Maya’s new phone' } },
        ],
        errors: {
          invalid_credentials: { token: null, body: { email: DEMO_EMAIL, password: 'not this one' } },
          second_factor_required: {
            token: null,
            body: { email: SECOND_FACTOR.email, password: DEMO_PASSWORD },
          },
          invalid_code: {
            token: null,
            body: { email: SECOND_FACTOR.email, password: DEMO_PASSWORD, code: '000000' },
          },
          provider_required: {
            token: null,
            body: { email: PROVIDER_ONLY.email, password: DEMO_PASSWORD },
          },
          challenge_expired: { token: null, body: { challenge: 'x'.repeat(43), code: '123456' } },
          workspace_not_permitted: {
            token: null,
            body: { email: SUSPENDED.email, password: DEMO_PASSWORD },
          },
          validation_failed: { token: null, body: { email: 'maya' } },
        },
      },
      'DELETE /v1/me/sessions/{id}': {
        calls: [{ params: idOf(`key_${tokens['maya-iphone']!.slice(8, 34)}`) }],
        errors: { resource_not_found: { params: idOf(`key_${UNKNOWN}`) } },
      },
      'PUT /v1/me/password': {
        calls: [
          {
            token: 'lena-iphone',
            body: { current_password: DEMO_PASSWORD, new_password: 'a long one, and new' },
          },
        ],
        errors: {
          forbidden: { token: 'test-key' },
          fresh_sign_in_required: {
            token: 'unconfirmed',
            body: { current_password: DEMO_PASSWORD, new_password: 'a long one, and new' },
          },
          validation_failed: { body: { current_password: DEMO_PASSWORD, new_password: 'short' } },
        },
      },
      'DELETE /v1/me/session': { calls: [{ token: 'diego-iphone' }] },
    },
  };
}

/** Returns the errors that operations with this spec share, each as a change to a successful call. */
export function commonErrors(spec: ProcedureSpec): Partial<Record<ErrorCode, Partial<ExampleCall>>> {
  const actsInFirm = spec.access.level === 'workspace' || spec.access.level === 'admin';
  return {
    invalid_token: { token: null },
    revoked_token: { token: 'maya-ipad' },
    expired_token: { token: 'priya-iphone' },
    insufficient_scope: { token: 'no-scope' },
    workspace_required: { token: 'staff' },
    workspace_not_permitted: actsInFirm ? { workspace: 'harbor-point' } : { token: 'suspended' },
    admin_access_required: { token: 'dismissed' },
    forbidden: { token: spec.access.level === 'workspace' ? 'no-affiliates' : 'no-permission' },
    missing_idempotency_key: { key: null },
    payload_too_large: { body: { body: 'x'.repeat(Math.min(spec.bodyLimit, DRAFT_BODY_LIMIT)) } },
    unsupported_media_type: { headers: { 'content-type': 'text/plain' } },
  };
}

/** Tokens that are created in addition to the demo's, with the demo user that owns each. */
export const extraTokens: Record<
  string,
  { user: string; scopes: Scope[]; kind?: TokenKind; environment?: TokenEnvironment }
> = {
  'no-scope': { user: 'maya', scopes: [] },
  'no-permission': { user: 'priya', scopes: ['admin:read', 'admin:write'] },
  'no-affiliates': { user: 'priya', scopes: ['affiliates:write'], kind: 'device' },
  dismissed: { user: 'greg', scopes: ['admin:read', 'admin:write', 'affiliates:write'] },
  'no-calendar': { user: 'greg', scopes: ['calendar:read'] },
  'test-key': { user: 'tom', scopes: [], environment: 'test' },
  device: { user: 'tom', scopes: ['mail:read'] },
};

/** Codes that a healthy service does not return, or only after many calls. Their examples use the messages of the error table. */
export const codesWithoutExample: ErrorCode[] = [
  'rate_limited',
  'internal_error',
  'unavailable',
  'idempotency_key_in_use',
  'attachment_limit_reached',
];
