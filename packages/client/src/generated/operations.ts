// Written by `pnpm --filter @firmdesk/client generate` from the examples in apps/gateway/openapi.json.
import type { RecordedOperation } from '../recorded-operation.ts';

export const operations: readonly RecordedOperation[] = [
  {
    method: 'POST',
    path: '/v1/me/mail/drafts',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: {
          id: 'msg_01kar9x4z8c5m7p2t6v3000000',
          object: 'mail_message',
          thread_id: 34,
          address_id: 1,
          folder: 'drafts',
          subject: 'Your payout of Monday',
          to_recipients: [{ email: 'anders.nystrom@example.net', name: null }],
          cc_recipients: [],
          message_at: '2026-11-23T09:30:00.000000Z',
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000001' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      not_a_draft: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000007' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000008' },
        },
      },
      resource_not_found: { status: 404 },
      idempotency_key_in_use: { status: 409 },
      precondition_failed: { status: 412 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 10485760 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000011' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"to[0]" must be an email address, got "anders.nystrom".',
            fields: [{ path: 'to[0]', message: '"to[0]" must be an email address, got "anders.nystrom".' }],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000013' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/me/mail/messages',
    isPublic: false,
    success: {
      status: 201,
      body: {
        data: {
          id: 'msg_01kar9x4z8c5m7p2t6v3000041',
          object: 'mail_message',
          thread_id: 4,
          address_id: 1,
          folder: 'sent',
          subject: 'Your payout of Monday',
          to_recipients: [{ email: 'anders.nystrom@example.net', name: null }],
          cc_recipients: [],
          message_at: '2026-11-23T09:30:00.000000Z',
          from: { email: 'support@northgate.example', name: 'Northgate Support' },
          snippet: 'Hi Anders, it left our bank this morning.',
          is_read: true,
          previous_folder: null,
          delivery: {
            state: 'queued',
            send_at: '2026-11-23T09:30:10.000Z',
            recipients: [{ email: 'anders.nystrom@example.net', state: 'queued', detail: null }],
          },
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000042' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      not_a_draft: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000048' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000049' },
        },
      },
      resource_not_found: {
        status: 404,
        body: {
          error: {
            code: 'resource_not_found',
            message: '"attachments[0]": there is no such file.',
            doc_url: '/docs/guides/errors#resource_not_found',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000050' },
        },
      },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 10485760 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000051' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"to" must have an address, unless "cc" or "bcc" has one.',
            fields: [{ path: 'to', message: '"to" must have an address, unless "cc" or "bcc" has one.' }],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000053' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/me/mail/messages',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: [
          {
            id: 'msg_01kar9x4z8c5m7p2t6v3000020',
            object: 'mail_message',
            thread_id: 1,
            address_id: 1,
            folder: 'inbox',
            subject: 'Recording of the risk webinar?',
            to_recipients: [{ email: 'support@northgate.example', name: 'Northgate Support' }],
            cc_recipients: [],
            message_at: '2026-11-23T09:05:00.000000Z',
            from: { email: 'olivia.grant@example.net', name: 'Olivia Grant' },
            snippet:
              'Hi, I had to leave the webinar on position sizing after twenty minutes. Will there be a recording, and can I share it with my trading group? Thanks, Olivia',
            is_read: false,
            previous_folder: null,
          },
          {
            id: 'msg_01kar9x4z8c5m7p2t6v3000021',
            object: 'mail_message',
            thread_id: 19,
            address_id: 4,
            folder: 'inbox',
            subject: 'Handover for the night shift',
            to_recipients: [{ email: 'maya@northgate.example', name: 'Maya Lindqvist' }],
            cc_recipients: [],
            message_at: '2026-11-23T08:30:00.000000Z',
            from: { email: 'tom@northgate.example', name: 'Tom Okafor' },
            snippet:
              "Hi Maya, three things for tonight: 1. Aisha's payout went to the wrong network, finance is on it, she is understandably nervous. 2. The two Germans with the frozen terminal are waiting for the bridge",
            is_read: false,
            previous_folder: null,
          },
        ],
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000022', has_more: true, next_cursor: 'b3BhcXVl' },
      },
    },
    errors: {
      invalid_limit: {
        status: 400,
        body: {
          error: {
            code: 'invalid_limit',
            message: '"limit" must be an integer between 1 and 100, got 0.',
            fields: [{ path: 'limit', message: '"limit" must be an integer between 1 and 100, got 0.' }],
            doc_url: '/docs/guides/errors#invalid_limit',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000023' },
        },
      },
      invalid_cursor: { status: 400 },
      validation_failed: {
        status: 400,
        body: {
          error: {
            code: 'validation_failed',
            message:
              '"folder" must be "inbox", "drafts", "sent", "archive", "spam" or "trash", got "outbox".',
            fields: [
              {
                path: 'folder',
                message:
                  '"folder" must be "inbox", "drafts", "sent", "archive", "spam" or "trash", got "outbox".',
              },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000031' },
        },
      },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:read.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000028' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000029' },
        },
      },
      resource_not_found: { status: 404 },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'DELETE',
    path: '/v1/me/mail/messages/{id}/sending',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: {
          id: 'msg_01kar9x4z8c5m7p2t6v3000054',
          object: 'mail_message',
          thread_id: 3,
          address_id: 1,
          folder: 'drafts',
          subject: 'Re: Question for an article about evaluation fees',
          to_recipients: [{ email: 'helen.marsh@dailyledger.example', name: 'Helen Marsh' }],
          cc_recipients: [],
          message_at: '2026-11-23T08:40:00.000000Z',
          from: { email: 'support@northgate.example', name: 'Northgate Support' },
          snippet:
            'Dear Ms Marsh, thank you for asking us directly. The fee is refunded with the first payout of a funded account; for the last quarter that was',
          is_read: true,
          previous_folder: null,
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000055' },
      },
    },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000059' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000060' },
        },
      },
      resource_not_found: { status: 404 },
      already_sent: { status: 409 },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/me/mail/messages/{id}/restore',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: {
          id: 'msg_01kar9x4z8c5m7p2t6v3000106',
          object: 'mail_message',
          thread_id: 25,
          address_id: 4,
          folder: 'inbox',
          subject: 'Reminder: your appointment on Thursday',
          to_recipients: [{ email: 'maya@northgate.example', name: 'Maya Lindqvist' }],
          cc_recipients: [],
          message_at: '2026-11-13T09:30:00.000000Z',
          from: { email: 'reception@lakesidedental.example', name: 'Lakeside Dental' },
          snippet: 'We look forward to seeing you on Thursday at 08:30.',
          is_read: true,
          previous_folder: null,
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000107' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000112' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000113' },
        },
      },
      resource_not_found: { status: 404 },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000115' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"conversation" must be true or false, got "yes".',
            fields: [{ path: 'conversation', message: '"conversation" must be true or false, got "yes".' }],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000117' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/me/mail/mailboxes',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: [
          {
            object: 'mailbox',
            id: 4,
            email: 'maya@northgate.example',
            name: 'Maya Lindqvist',
            can_write: true,
            unread: 1,
          },
          {
            object: 'mailbox',
            id: 2,
            email: 'payouts@northgate.example',
            name: 'Northgate Payouts',
            can_write: true,
            unread: 1,
          },
          {
            object: 'mailbox',
            id: 1,
            email: 'support@northgate.example',
            name: 'Northgate Support',
            can_write: true,
            unread: 2,
          },
        ],
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000014' },
      },
    },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:read.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000018' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000019' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/me/mail/messages/{id}',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: {
          id: 'msg_01kar9x4z8c5m7p2t6v3000032',
          object: 'mail_message',
          thread_id: 4,
          address_id: 1,
          folder: 'sent',
          subject: 'Re: Platform outage on Tuesday: was my stop honoured?',
          to_recipients: [{ email: 'hannah.schultz@example.net', name: 'Hannah Schultz' }],
          cc_recipients: [],
          message_at: '2026-11-20T06:30:00.000000Z',
          from: { email: 'support@northgate.example', name: 'Northgate Support' },
          snippet:
            'Hi Hannah, thanks for the exact time, that helps. I have asked the liquidity desk for the execution log and will come back to you today. Lena',
          is_read: true,
          previous_folder: null,
          bcc_recipients: [],
          body: '<p>Hi Hannah,</p><p>thanks for the exact time, that helps. I have asked the liquidity desk for the execution log and will come back to you today.</p><p>Lena</p>',
          attachments: [],
          left_out: [],
          in_reply_to: null,
          delivery: null,
          sender_check: null,
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000033' },
      },
    },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:read.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000037' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000038' },
        },
      },
      resource_not_found: { status: 404 },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/me/mail/messages/move',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: { object: 'mail_messages_changed', changed: 1 },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000074' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000079' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000080' },
        },
      },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000081' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"folder" must be "inbox", "archive", "spam" or "trash", got "sent".',
            fields: [
              {
                path: 'folder',
                message: '"folder" must be "inbox", "archive", "spam" or "trash", got "sent".',
              },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000083' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/me/mail/messages/mark',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: { object: 'mail_messages_changed', changed: 0 },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000064' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000069' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000070' },
        },
      },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000071' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"ids" must have between 1 and 200 items, got 0.',
            fields: [{ path: 'ids', message: '"ids" must have between 1 and 200 items, got 0.' }],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000073' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/me/mail/messages/delete',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: { object: 'mail_messages_changed', changed: 1 },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000084' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000089' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000090' },
        },
      },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000091' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"ids[0]" must be an id that begins with "msg_", got "17".',
            fields: [
              { path: 'ids[0]', message: '"ids[0]" must be an id that begins with "msg_", got "17".' },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000093' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/me/mail/attachments',
    isPublic: false,
    success: {
      status: 201,
      body: {
        data: {
          object: 'mail_attachment_upload',
          id: 'matt_01kar9x4z8c5m7p2t6v3000094',
          upload_url: 'https://desk.example.com/attachments/northgate/matt_01kar9x4z8c5m7p2t6v3000094',
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000095' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope mail:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000100' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000101' },
        },
      },
      resource_not_found: { status: 404 },
      attachment_limit_reached: { status: 409 },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000103' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"size" must not be empty, got 0.',
            fields: [{ path: 'size', message: '"size" must not be empty, got 0.' }],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000105' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/ping',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: {
          ok: true,
          environment: 'live',
          api_key: 'key_01kar9x4z8c5m7p2t6v3000000',
          scopes: [
            'mail:read',
            'mail:write',
            'calendar:read',
            'notifications:write',
            'admin:read',
            'admin:write',
            'affiliates:write',
            'calendar:write',
            'notifications:read',
            'platform:write',
          ],
          tenant: { name: 'Northgate Capital', slug: 'northgate' },
          time: '2026-11-23T09:30:00.000Z',
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000001' },
      },
    },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000005' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/sessions',
    isPublic: true,
    success: {
      status: 201,
      body: {
        data: {
          object: 'session',
          id: 'key_01kar9x4z8c5m7p2t6v3000006',
          name: 'Maya’s new phone',
          created_at: '2026-11-23T09:30:00.000Z',
          last_used_at: null,
          expires_at: null,
          current: true,
          token: 'fd_live_…',
          device: 'fdd_…',
          scopes: [
            'mail:read',
            'mail:write',
            'calendar:read',
            'notifications:write',
            'admin:read',
            'admin:write',
            'affiliates:write',
            'calendar:write',
            'notifications:read',
          ],
          tenant: { name: 'Northgate Capital', slug: 'northgate' },
          user: {
            id: 'usr_01kar9x4z8c5m7p2t6v3000007',
            name: 'Maya Lindqvist',
            email: 'maya@northgate.example',
            timezone: 'Europe/London',
            language: 'en',
          },
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000008' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      invalid_credentials: { status: 401 },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000011' },
        },
      },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000012' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"email" must be an email address, got "maya".',
            fields: [
              { path: 'email', message: '"email" must be an email address, got "maya".' },
              { path: 'password', message: '"password" is required.' },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000014' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/me/sessions',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: [
          {
            object: 'session',
            id: 'key_01kar9x4z8c5m7p2t6v3000000',
            name: "Maya's iPhone",
            created_at: '2026-09-24T09:30:00.000Z',
            last_used_at: '2026-11-23T09:30:00.000Z',
            expires_at: null,
            current: true,
          },
        ],
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000001' },
      },
    },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000005' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'DELETE',
    path: '/v1/me/sessions/{id}',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: { object: 'session_ended', id: 'key_01kar9x4z8c5m7p2t6v3000000' },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000015' },
      },
    },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000019' },
        },
      },
      resource_not_found: { status: 404 },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'DELETE',
    path: '/v1/me/session',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: { object: 'session_ended', id: 'key_01kar9x4z8c5m7p2t6v3000030' },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000031' },
      },
    },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000035' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'PUT',
    path: '/v1/me/password',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: { object: 'password_changed', signed_out: 0 },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000021' },
      },
    },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000025' },
        },
      },
      forbidden: {
        status: 403,
        body: {
          error: {
            code: 'forbidden',
            message: 'A test token changes test data, and not the account.',
            doc_url: '/docs/guides/errors#forbidden',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000026' },
        },
      },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000027' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"new_password" must have between 10 and 1024 characters, got 5.',
            fields: [
              {
                path: 'new_password',
                message: '"new_password" must have between 10 and 1024 characters, got 5.',
              },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000029' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/me/devices',
    isPublic: false,
    success: {
      status: 201,
      body: {
        data: {
          object: 'push_device',
          app: 'mail',
          environment: 'production',
          created_at: '2026-11-23T09:30:00.000Z',
          last_seen_at: '2026-11-23T09:30:00.000Z',
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000001' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000006' },
        },
      },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000007' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"token" must have between 64 and 200 hexadecimal digits, in pairs.',
            fields: [
              {
                path: 'token',
                message: '"token" must have between 64 and 200 hexadecimal digits, in pairs.',
              },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000009' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/me/devices/pushes',
    isPublic: false,
    success: { status: 200, body: { data: [], meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000010' } } },
    errors: {
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000014' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/me/notifications/read',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: { object: 'notifications_read', marked: 6, unread: 0 },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      nothing_to_mark: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope notifications:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000006' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000007' },
        },
      },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000008' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"ids[0]" must be a UUID, got "17".',
            fields: [{ path: 'ids[0]', message: '"ids[0]" must be a UUID, got "17".' }],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000010' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/affiliates/pre-registrations',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: [
          {
            id: 'aff_pre_01kar9x4z8c5m7p2t6v3000000',
            object: 'affiliate_pre_registration',
            email: 'bea.trades@example.org',
            referral_code: 'BEA10',
            referral_url: 'https://northgate.example/r/BEA10',
            status: 'pending',
            source: 'api',
            metadata: { seat: 41, campaign: 'spring-webinar' },
            created_at: '2026-11-23T06:30:00.000Z',
            expires_at: '2026-12-07T09:30:00.000Z',
            claimed_at: null,
            last_sent_at: '2026-11-23T06:30:00.000Z',
          },
          {
            id: 'aff_pre_01kar9x4z8c5m7p2t6v3000001',
            object: 'affiliate_pre_registration',
            email: 'thefxdesk@example.org',
            referral_code: 'FXDESK',
            referral_url: 'https://northgate.example/r/FXDESK',
            status: 'pending',
            source: 'api',
            metadata: { audience: 'youtube', campaign: 'spring-webinar' },
            created_at: '2026-11-21T05:30:00.000Z',
            expires_at: '2026-12-05T09:30:00.000Z',
            claimed_at: null,
            last_sent_at: '2026-11-22T09:30:00.000Z',
          },
        ],
        meta: {
          request_id: 'req_01kar9x4z8c5m7p2t6v3000002',
          has_more: true,
          next_cursor: 'aff_pre_01kar9x4z8c5m7p2t6v3000001',
        },
      },
    },
    errors: {
      workspace_required: { status: 400 },
      invalid_limit: {
        status: 400,
        body: {
          error: {
            code: 'invalid_limit',
            message: '"limit" must be an integer between 1 and 100, got "-1".',
            fields: [{ path: 'limit', message: '"limit" must be an integer between 1 and 100, got "-1".' }],
            doc_url: '/docs/guides/errors#invalid_limit',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000004' },
        },
      },
      invalid_cursor: { status: 400 },
      invalid_status: {
        status: 400,
        body: {
          error: {
            code: 'invalid_status',
            message: '"status" must be "pending", "claimed", "revoked" or "expired", got "open".',
            fields: [
              {
                path: 'status',
                message: '"status" must be "pending", "claimed", "revoked" or "expired", got "open".',
              },
            ],
            doc_url: '/docs/guides/errors#invalid_status',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000006' },
        },
      },
      validation_failed: {
        status: 400,
        body: {
          error: {
            code: 'validation_failed',
            message: '"email" contains an unsupported character (NUL or a lone surrogate).',
            fields: [
              {
                path: 'email',
                message: '"email" contains an unsupported character (NUL or a lone surrogate).',
              },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000014' },
        },
      },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope affiliates:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000010' },
        },
      },
      admin_access_required: { status: 403 },
      workspace_not_permitted: { status: 403 },
      forbidden: {
        status: 403,
        body: {
          error: {
            code: 'forbidden',
            message: 'This call needs the permission view_affiliates.',
            doc_url: '/docs/guides/errors#forbidden',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000013' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/me/calendar/events',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: [
          {
            object: 'calendar_event',
            id: 28,
            occurrence_start: '2026-11-23T08:15:00.000Z',
            calendar_id: 5,
            title: 'Busy',
            description: null,
            location: null,
            starts_at: '2026-11-23T08:15:00.000Z',
            ends_at: '2026-11-23T08:45:00.000Z',
            all_day: false,
            timezone: 'Europe/London',
            status: 'confirmed',
            source: 'manual',
            is_recurring: true,
            recurrence_rule: null,
            conference: { provider: null, url: null, meeting_id: null, passcode: null },
            organizer: { name: null, email: null },
            attendees: [],
            reminders: [],
            tags: [],
            can_write: false,
          },
          {
            object: 'calendar_event',
            id: 1,
            occurrence_start: '2026-11-23T09:30:00.000Z',
            calendar_id: 1,
            title: 'Daily standup',
            description: 'What is stuck, who is out, what traders complain about today.',
            location: null,
            starts_at: '2026-11-23T09:30:00.000Z',
            ends_at: '2026-11-23T09:45:00.000Z',
            all_day: false,
            timezone: 'Europe/London',
            status: 'confirmed',
            source: 'manual',
            is_recurring: true,
            recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
            conference: {
              provider: 'zoom',
              url: 'https://meet.northgate.example/j/81542209930',
              meeting_id: '81542209930',
              passcode: 'desk',
            },
            organizer: { name: 'Maya Lindqvist', email: 'maya@northgate.example' },
            attendees: [
              {
                name: 'Maya Lindqvist',
                email: 'maya@northgate.example',
                response: 'accepted',
                is_organizer: true,
                is_optional: false,
              },
              {
                name: 'Tom Okafor',
                email: 'tom@northgate.example',
                response: 'accepted',
                is_organizer: false,
                is_optional: false,
              },
              {
                name: 'Lena Hoffmann',
                email: 'lena@northgate.example',
                response: 'accepted',
                is_organizer: false,
                is_optional: false,
              },
            ],
            reminders: [{ minutes_before: 5, channel: 'push' }],
            tags: [],
            can_write: true,
          },
          {
            object: 'calendar_event',
            id: 20,
            occurrence_start: '2026-11-23T12:00:00.000Z',
            calendar_id: 4,
            title: 'Leadership course',
            description: null,
            location: null,
            starts_at: '2026-11-23T12:00:00.000Z',
            ends_at: '2026-11-23T13:30:00.000Z',
            all_day: false,
            timezone: 'Europe/London',
            status: 'confirmed',
            source: 'manual',
            is_recurring: true,
            recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20261207T120000Z',
            conference: {
              provider: 'google_meet',
              url: 'https://meet.example.com/lead-ers-hip',
              meeting_id: null,
              passcode: null,
            },
            organizer: { name: null, email: null },
            attendees: [],
            reminders: [],
            tags: [],
            can_write: true,
          },
          {
            object: 'calendar_event',
            id: 12,
            occurrence_start: '2026-11-23T14:30:00.000Z',
            calendar_id: 3,
            title: 'US cash open',
            description: null,
            location: null,
            starts_at: '2026-11-23T14:30:00.000Z',
            ends_at: '2026-11-23T14:35:00.000Z',
            all_day: false,
            timezone: 'America/New_York',
            status: 'confirmed',
            source: 'manual',
            is_recurring: true,
            recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
            conference: { provider: null, url: null, meeting_id: null, passcode: null },
            organizer: { name: null, email: null },
            attendees: [],
            reminders: [],
            tags: [{ id: 3, name: 'Trading rules', color: '#b45309' }],
            can_write: false,
          },
          {
            object: 'calendar_event',
            id: 10,
            occurrence_start: '2026-11-23T15:00:00.000Z',
            calendar_id: 2,
            title: 'Payout run',
            description: null,
            location: null,
            starts_at: '2026-11-23T15:00:00.000Z',
            ends_at: '2026-11-23T15:30:00.000Z',
            all_day: false,
            timezone: 'Europe/London',
            status: 'confirmed',
            source: 'manual',
            is_recurring: true,
            recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH',
            conference: { provider: null, url: null, meeting_id: null, passcode: null },
            organizer: { name: null, email: null },
            attendees: [],
            reminders: [],
            tags: [{ id: 1, name: 'Payout', color: '#15803d' }],
            can_write: true,
          },
          {
            object: 'calendar_event',
            id: 24,
            occurrence_start: null,
            calendar_id: 4,
            title: 'Queue review',
            description: 'Everything older than two days.',
            location: null,
            starts_at: '2026-11-23T16:30:00.000Z',
            ends_at: '2026-11-23T17:00:00.000Z',
            all_day: false,
            timezone: 'Europe/London',
            status: 'confirmed',
            source: 'manual',
            is_recurring: false,
            recurrence_rule: null,
            conference: { provider: null, url: null, meeting_id: null, passcode: null },
            organizer: { name: null, email: null },
            attendees: [],
            reminders: [{ minutes_before: 15, channel: 'push' }],
            tags: [],
            can_write: true,
          },
          {
            object: 'calendar_event',
            id: 19,
            occurrence_start: '2026-11-23T18:30:00.000Z',
            calendar_id: 4,
            title: 'Bouldering',
            description: null,
            location: null,
            starts_at: '2026-11-23T18:30:00.000Z',
            ends_at: '2026-11-23T20:00:00.000Z',
            all_day: false,
            timezone: 'Europe/London',
            status: 'confirmed',
            source: 'manual',
            is_recurring: true,
            recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH',
            conference: { provider: null, url: null, meeting_id: null, passcode: null },
            organizer: { name: null, email: null },
            attendees: [],
            reminders: [],
            tags: [],
            can_write: true,
          },
        ],
        meta: {
          request_id: 'req_01kar9x4z8c5m7p2t6v3000000',
          from: '2026-11-23T00:00:00.000Z',
          until: '2026-11-24T00:00:00.000Z',
        },
      },
    },
    errors: {
      invalid_date: {
        status: 400,
        body: {
          error: {
            code: 'invalid_date',
            message: '"from" must be an ISO 8601 date or date-time.',
            fields: [{ path: 'from', message: '"from" must be an ISO 8601 date or date-time.' }],
            doc_url: '/docs/guides/errors#invalid_date',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000001' },
        },
      },
      invalid_window: { status: 400 },
      window_too_wide: { status: 400 },
      validation_failed: {
        status: 400,
        body: {
          error: {
            code: 'validation_failed',
            message: '"calendars[][0]" contains an unsupported character (NUL or a lone surrogate).',
            fields: [
              {
                path: 'calendars[][0]',
                message: '"calendars[][0]" contains an unsupported character (NUL or a lone surrogate).',
              },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000010' },
        },
      },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope calendar:read.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000007' },
        },
      },
      workspace_not_permitted: {
        status: 403,
        body: {
          error: {
            code: 'workspace_not_permitted',
            message: 'This firm is suspended.',
            doc_url: '/docs/guides/errors#workspace_not_permitted',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000008' },
        },
      },
      calendar_not_permitted: { status: 403 },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'GET',
    path: '/v1/admin/tickets',
    isPublic: false,
    success: {
      status: 200,
      body: {
        data: [
          {
            object: 'ticket',
            id: 'tkt_01kar9x4z8c5m7p2t6v3000000',
            number: '#000000',
            subject: 'Breached daily drawdown while I was in profit??',
            status: 'awaiting_admin',
            priority: 'urgent',
            ai_enabled: true,
            ai_blocked: false,
            unread: 4,
            last_from: 'trader',
            last_message_at: '2026-11-23T08:30:00.000Z',
            created_at: '2026-11-23T06:30:00.000Z',
            closed_at: null,
            snoozed: false,
            snoozed_until: null,
            woken_at: null,
            first_response_due_at: null,
            resolution_due_at: null,
            trader: {
              id: 'usr_01kar9x4z8c5m7p2t6v3000001',
              name: 'Jamal Whitaker',
              email: 'jamal.whitaker@example.net',
              avatar_url: null,
              deleted: false,
            },
            assignee: null,
            team: { id: 3, name: 'Risk' },
            tags: [{ id: 3, name: 'Trading rules', color: '#b45309' }],
            action_url: '/tickets/tkt_01kar9x4z8c5m7p2t6v3000000',
          },
          {
            object: 'ticket',
            id: 'tkt_01kar9x4z8c5m7p2t6v3000002',
            number: '#000002',
            subject: 'Lost my phone, cannot get the two-factor code',
            status: 'awaiting_admin',
            priority: 'urgent',
            ai_enabled: false,
            ai_blocked: false,
            unread: 2,
            last_from: 'trader',
            last_message_at: '2026-11-23T09:08:00.000Z',
            created_at: '2026-11-23T05:30:00.000Z',
            closed_at: null,
            snoozed: false,
            snoozed_until: null,
            woken_at: null,
            first_response_due_at: null,
            resolution_due_at: null,
            trader: {
              id: 'usr_01kar9x4z8c5m7p2t6v3000003',
              name: 'Marcus Reid',
              email: 'marcus.reid@example.net',
              avatar_url: null,
              deleted: false,
            },
            assignee: {
              id: 'usr_01kar9x4z8c5m7p2t6v3000004',
              name: 'Tom Okafor',
              avatar_url:
                'https://desk.example.com/avatars/9f4a1682d60f5ee8fc74798187f9ffaa5da5a3f7bc445d98d1d1cf5f600816b9',
            },
            team: { id: 1, name: 'Support' },
            tags: [{ id: 4, name: 'Platform', color: '#1d4ed8' }],
            action_url: '/tickets/tkt_01kar9x4z8c5m7p2t6v3000002',
          },
        ],
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000005', has_more: true, next_cursor: 'b3BhcXVl' },
      },
    },
    errors: {
      workspace_required: { status: 400 },
      invalid_sort: {
        status: 400,
        body: {
          error: {
            code: 'invalid_sort',
            message:
              '"sort" must be "queue", "-last_message_at", "-created_at", "created_at", "-priority" or "next_due_at", got "subject".',
            fields: [
              {
                path: 'sort',
                message:
                  '"sort" must be "queue", "-last_message_at", "-created_at", "created_at", "-priority" or "next_due_at", got "subject".',
              },
            ],
            doc_url: '/docs/guides/errors#invalid_sort',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000007' },
        },
      },
      invalid_limit: {
        status: 400,
        body: {
          error: {
            code: 'invalid_limit',
            message: '"limit" must be an integer between 1 and 100, got 0.',
            fields: [{ path: 'limit', message: '"limit" must be an integer between 1 and 100, got 0.' }],
            doc_url: '/docs/guides/errors#invalid_limit',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000008' },
        },
      },
      invalid_cursor: { status: 400 },
      validation_failed: {
        status: 400,
        body: {
          error: {
            code: 'validation_failed',
            message: '"status" must be "waiting", "open", "ai", "trader", "ended" or "all", got "new".',
            fields: [
              {
                path: 'status',
                message: '"status" must be "waiting", "open", "ai", "trader", "ended" or "all", got "new".',
              },
            ],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000017' },
        },
      },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope admin:read.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000013' },
        },
      },
      admin_access_required: { status: 403 },
      workspace_not_permitted: { status: 403 },
      forbidden: {
        status: 403,
        body: {
          error: {
            code: 'forbidden',
            message: 'This call needs the permission view_tickets.',
            doc_url: '/docs/guides/errors#forbidden',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000016' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
  {
    method: 'POST',
    path: '/v1/admin/tickets/{ticket}/ai',
    isPublic: false,
    success: {
      status: 201,
      body: {
        data: {
          object: 'ticket_message',
          id: 'tmsg_01kar9x4z8c5m7p2t6v3000019',
          ticket_id: 'tkt_01kar9x4z8c5m7p2t6v3000018',
          from: 'admin',
          author: 'Maya Lindqvist',
          body: '/ai Thank him, and ask for a statement that shows both holders.',
          image_url: null,
          image_name: null,
          attachments: [],
          internal: true,
          streaming: false,
          via_email: false,
          event: 'ai_command',
          read_at: null,
          created_at: '2026-11-23T09:30:00.000Z',
        },
        meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000020' },
      },
    },
    errors: {
      missing_idempotency_key: { status: 400 },
      workspace_required: { status: 400 },
      invalid_token: { status: 401 },
      revoked_token: { status: 401 },
      expired_token: { status: 401 },
      insufficient_scope: {
        status: 403,
        body: {
          error: {
            code: 'insufficient_scope',
            message: 'This call needs the scope admin:write.',
            doc_url: '/docs/guides/errors#insufficient_scope',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000026' },
        },
      },
      admin_access_required: { status: 403 },
      workspace_not_permitted: { status: 403 },
      forbidden: {
        status: 403,
        body: {
          error: {
            code: 'forbidden',
            message: 'This call needs the permission view_tickets.',
            doc_url: '/docs/guides/errors#forbidden',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000029' },
        },
      },
      resource_not_found: { status: 404 },
      ticket_ended: { status: 409 },
      assistant_unavailable: { status: 409 },
      newer_messages: { status: 409 },
      idempotency_key_in_use: { status: 409 },
      payload_too_large: {
        status: 413,
        body: {
          error: {
            code: 'payload_too_large',
            message: 'The body must have at most 65536 bytes.',
            doc_url: '/docs/guides/errors#payload_too_large',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000034' },
        },
      },
      unsupported_media_type: { status: 415 },
      validation_failed: {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: '"instruction" must not be empty.',
            fields: [{ path: 'instruction', message: '"instruction" must not be empty.' }],
            doc_url: '/docs/guides/errors#validation_failed',
          },
          meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000036' },
        },
      },
      rate_limited: { status: 429 },
      internal_error: { status: 500 },
      unavailable: { status: 503 },
    },
  },
];

/** The bodies of the errors with their default messages, by code. */
export const sharedErrors: Record<string, object> = {
  missing_idempotency_key: {
    error: {
      code: 'missing_idempotency_key',
      message: 'Every POST needs the header Idempotency-Key with a UUID.',
      doc_url: '/docs/guides/errors#missing_idempotency_key',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  not_a_draft: {
    error: {
      code: 'not_a_draft',
      message: '"draft_id" must be the id of a draft.',
      fields: [{ path: 'draft_id', message: '"draft_id" must be the id of a draft.' }],
      doc_url: '/docs/guides/errors#not_a_draft',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  invalid_token: {
    error: {
      code: 'invalid_token',
      message: 'A valid bearer token is required.',
      doc_url: '/docs/guides/errors#invalid_token',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  revoked_token: {
    error: {
      code: 'revoked_token',
      message: 'This token was revoked.',
      doc_url: '/docs/guides/errors#revoked_token',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  expired_token: {
    error: {
      code: 'expired_token',
      message: 'This token has expired.',
      doc_url: '/docs/guides/errors#expired_token',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  resource_not_found: {
    error: {
      code: 'resource_not_found',
      message: 'No such resource exists.',
      doc_url: '/docs/guides/errors#resource_not_found',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  idempotency_key_in_use: {
    error: {
      code: 'idempotency_key_in_use',
      message: 'A call with this Idempotency-Key is still running.',
      doc_url: '/docs/guides/errors#idempotency_key_in_use',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  precondition_failed: {
    error: {
      code: 'precondition_failed',
      message: 'The resource has changed since the version named in If-Match.',
      doc_url: '/docs/guides/errors#precondition_failed',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  unsupported_media_type: {
    error: {
      code: 'unsupported_media_type',
      message: 'The body must be sent as application/json.',
      doc_url: '/docs/guides/errors#unsupported_media_type',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  rate_limited: {
    error: {
      code: 'rate_limited',
      message: 'Too many calls. Wait as long as the header Retry-After says.',
      doc_url: '/docs/guides/errors#rate_limited',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  internal_error: {
    error: {
      code: 'internal_error',
      message: 'An internal error occurred. Report it with the request id.',
      doc_url: '/docs/guides/errors#internal_error',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  unavailable: {
    error: {
      code: 'unavailable',
      message: 'The service is temporarily unavailable. Try again.',
      doc_url: '/docs/guides/errors#unavailable',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  invalid_cursor: {
    error: {
      code: 'invalid_cursor',
      message: '"starting_after" must be a cursor of this list.',
      fields: [{ path: 'starting_after', message: '"starting_after" must be a cursor of this list.' }],
      doc_url: '/docs/guides/errors#invalid_cursor',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  already_sent: {
    error: {
      code: 'already_sent',
      message: 'The message is being sent, and can no longer be taken back.',
      doc_url: '/docs/guides/errors#already_sent',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  attachment_limit_reached: {
    error: {
      code: 'attachment_limit_reached',
      message:
        'The account has uploaded the maximum number of files that no message contains: send or remove some.',
      doc_url: '/docs/guides/errors#attachment_limit_reached',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  invalid_credentials: {
    error: {
      code: 'invalid_credentials',
      message: 'Incorrect email or password.',
      doc_url: '/docs/guides/errors#invalid_credentials',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  nothing_to_mark: {
    error: {
      code: 'nothing_to_mark',
      message: '"ids" must have at least one id, unless "all" is true.',
      fields: [{ path: 'ids', message: '"ids" must have at least one id, unless "all" is true.' }],
      doc_url: '/docs/guides/errors#nothing_to_mark',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  workspace_required: {
    error: {
      code: 'workspace_required',
      message: 'Name a firm in the header Service-Workspace.',
      doc_url: '/docs/guides/errors#workspace_required',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  admin_access_required: {
    error: {
      code: 'admin_access_required',
      message: 'This account is not an administrator of this workspace.',
      doc_url: '/docs/guides/errors#admin_access_required',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  workspace_not_permitted: {
    error: {
      code: 'workspace_not_permitted',
      message: 'This account may not act in this workspace.',
      doc_url: '/docs/guides/errors#workspace_not_permitted',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  invalid_window: {
    error: {
      code: 'invalid_window',
      message: '"until" must be after "from".',
      fields: [{ path: 'until', message: '"until" must be after "from".' }],
      doc_url: '/docs/guides/errors#invalid_window',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  window_too_wide: {
    error: {
      code: 'window_too_wide',
      message: '"until" must be at most 92 days after "from".',
      fields: [{ path: 'until', message: '"until" must be at most 92 days after "from".' }],
      doc_url: '/docs/guides/errors#window_too_wide',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  calendar_not_permitted: {
    error: {
      code: 'calendar_not_permitted',
      message: 'This account may not open any calendar.',
      doc_url: '/docs/guides/errors#calendar_not_permitted',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  ticket_ended: {
    error: {
      code: 'ticket_ended',
      message: 'The ticket is resolved or closed.',
      doc_url: '/docs/guides/errors#ticket_ended',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  assistant_unavailable: {
    error: {
      code: 'assistant_unavailable',
      message: 'The firm has switched the assistant off for its team.',
      doc_url: '/docs/guides/errors#assistant_unavailable',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  newer_messages: {
    error: {
      code: 'newer_messages',
      message: 'Others have written on this ticket since the message in "seen_message_id".',
      doc_url: '/docs/guides/errors#newer_messages',
    },
    meta: { request_id: 'req_01kar9x4z8c5m7p2t6v3000000' },
  },
  method_not_allowed: {
    error: {
      code: 'method_not_allowed',
      message: 'This path does not support this method.',
      doc_url: '/docs/guides/errors#method_not_allowed',
    },
    meta: {},
  },
};
