// Written by `pnpm --filter @firmdesk/client generate` from apps/gateway/openapi.json.
export interface paths {
  '/v1/me/mail/drafts': {
    /**
     * Save a draft
     * @description Without `draft_id`, creates a draft; with it, replaces that draft completely. To avoid overwriting a save that came between, send the `ETag` of the last response as `If-Match`. Recipients may be internationalised (`jürgen@exämple.de`, RFC 6531). They are stored as given, never converted to or from Punycode.
     *
     *     Scope: `mail:write`.
     */
    post: operations['mail_saveDraft'];
  };
  '/v1/me/mail/messages': {
    /**
     * List messages, newest first
     * @description Scope: `mail:read`.
     */
    get: operations['mail_list'];
    /**
     * Send a message
     * @description The message is in the folder `sent` at once, and leaves after 10 seconds or at `send_at`; until then it can be taken back. It has at most 500 recipients, each of whom gets it once, and 25 MB of text and files together. An account sends at most 500 messages a day (UTC); more are answered `rate_limited`, with `Retry-After`. Mail for a mailbox of this installation is delivered to it directly; other mail goes to the mail server, which is tried for two days. Then, or if it refuses, its author is notified.
     *
     *     Scope: `mail:write`.
     */
    post: operations['mail_send'];
  };
  '/v1/me/mail/messages/{id}/sending': {
    /**
     * Take a sent message back
     * @description Only while the message is delayed. It is a draft again, with its id and its conversation. A repeated call answers the draft.
     *
     *     Scope: `mail:write`.
     */
    delete: operations['mail_cancelSending'];
  };
  '/v1/me/mail/messages/{id}/restore': {
    /**
     * Restore a message from trash, spam or archive
     * @description Scope: `mail:write`.
     */
    post: operations['mail_restore'];
  };
  '/v1/me/mail/mailboxes': {
    /**
     * List the mailboxes that the caller may read
     * @description Scope: `mail:read`.
     */
    get: operations['mail_mailboxes'];
  };
  '/v1/me/mail/messages/{id}': {
    /**
     * Open a message
     * @description Scope: `mail:read`.
     */
    get: operations['mail_get'];
  };
  '/v1/me/mail/messages/move': {
    /**
     * Move messages to a folder
     * @description Scope: `mail:write`.
     */
    post: operations['mail_move'];
  };
  '/v1/me/mail/messages/mark': {
    /**
     * Mark messages read or unread
     * @description Scope: `mail:write`.
     */
    post: operations['mail_mark'];
  };
  '/v1/me/mail/messages/delete': {
    /**
     * Delete messages
     * @description Moves messages to the trash. Those that are in the trash already are deleted permanently, with their files, unless the caller may only read their mailbox.
     *
     *     Scope: `mail:write`.
     */
    post: operations['mail_delete'];
  };
  '/v1/me/mail/attachments': {
    /**
     * Announce a file to attach to a message
     * @description Then `PUT` its bytes to `upload_url`, with the header `Content-Length` and the same token: 204 says that they are stored, and an interrupted upload can be repeated. A file has at most 25 MB. An account announces at most 100 files that no message contains, and 1 GiB in an hour. A file that no message contains is deleted after 7 days.
     *
     *     Scope: `mail:write`.
     */
    post: operations['mail_createAttachment'];
  };
  '/v1/ping': {
    /**
     * Check that a key is valid and see its scopes
     * @description Needs a token, but no scope.
     */
    get: operations['ping'];
  };
  '/v1/sessions': {
    /**
     * Sign in with email and password, and a code if the account has a second factor
     * @description An account has at most 500 sessions in each firm: a further one ends that which was not used for longest.
     *
     *     Needs no token.
     */
    post: operations['sessions_signIn'];
  };
  '/v1/me/sessions': {
    /**
     * List the signed-in devices of the account
     * @description With a test token: only those that are signed in with test tokens.
     *
     *     Needs a token, but no scope.
     */
    get: operations['sessions_list'];
  };
  '/v1/me/sessions/{id}': {
    /**
     * Sign out one of the account’s devices
     * @description With a test token: only one that is signed in with a test token.
     *
     *     Needs a token, but no scope.
     */
    delete: operations['sessions_end'];
  };
  '/v1/me/session': {
    /**
     * Sign out
     * @description Needs a token, but no scope.
     */
    delete: operations['sessions_signOut'];
  };
  '/v1/me/password': {
    /**
     * Change the password and sign out all other devices
     * @description Not with a test token. Passkeys and API keys stay: the answer lists the passkeys, and `remove_passkeys` removes them too.
     *
     *     Needs a token, but no scope.
     */
    put: operations['sessions_changePassword'];
  };
  '/v1/me/devices': {
    /**
     * Register a push token
     * @description Each session has one registration per app: a repeated call replaces it (200). Sessions of different accounts, or of one account in different firms, may register the same push token, and each gets its own pushes. Another session of the same account and firm takes over the push token. Sign out before the app switches accounts.
     *
     *     Needs a token, but no scope.
     */
    post: operations['devices_register'];
  };
  '/v1/me/devices/pushes': {
    /**
     * List the pushes that a test token’s devices would have got
     * @description With a test token: the newest 100 pushes to the registrations of this token, as they would have been sent. Pushes of the test environment are recorded, and never sent to a phone. Kept for seven days. With a live token the list is empty.
     *
     *     Needs a token, but no scope.
     */
    get: operations['devices_pushes'];
  };
  '/v1/me/notifications/read': {
    /**
     * Mark in-app notifications read
     * @description Send `ids`, or `all`: true. Ids of other accounts’ notifications and of notifications that are already read are ignored.
     *
     *     Scope: `notifications:write`.
     */
    post: operations['notifications_markRead'];
  };
  '/v1/affiliates/pre-registrations': {
    /**
     * List affiliate pre-registrations, newest first
     * @description Scope: `affiliates:write`. Permissions of a signed-in device: `view_affiliates`. An API key needs only the scope.
     */
    get: operations['affiliates_list'];
  };
  '/v1/affiliates/pre-registrations/{id}/resend': {
    /**
     * Send the mail about a pre-registration again
     * @description Scope: `affiliates:write`. Permissions of a signed-in device: `view_affiliates`, `manage_affiliates`. An API key needs only the scope.
     */
    post: operations['affiliates_resend'];
  };
  '/v1/me/calendar/events': {
    /**
     * List the events of a window, with recurring events expanded
     * @description One entry per occurrence that overlaps the window: at most 92 days, by default 31 from the start of today.
     *
     *     Scope: `calendar:read`.
     */
    get: operations['calendar_list'];
  };
  '/v1/admin/tickets': {
    /**
     * List the firm’s support tickets
     * @description Scope: `admin:read`. Permissions: `view_tickets`.
     */
    get: operations['tickets_list'];
  };
  '/v1/admin/tickets/{ticket}/ai': {
    /**
     * Ask the AI assistant to write the next reply
     * @description Stores the instruction as an internal note and returns that. The reply is then streamed to the ticket’s viewers, and stored. If the assistant cannot write it, a note with the event `ai_command_failed` states the reason, and the trader sees nothing. Each call counts against the firm’s monthly allowance.
     *
     *     Scope: `admin:write`. Permissions: `view_tickets`, `manage_tickets`.
     */
    post: operations['tickets_askAssistant'];
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description The body of `POST /v1/me/mail/drafts`. */
    MailSaveDraftRequest: {
      /**
       * Format: int32
       * @description The mailbox of the sender
       * @example 1
       */
      address_id: number;
      /**
       * @description The addresses of `To`. By default `[]`.
       * @example [
       *       "anders.nystrom@example.net"
       *     ]
       */
      to?: string[];
      /**
       * @description The addresses of `Cc`. By default `[]`.
       * @example [
       *       "sam@northwind.example"
       *     ]
       */
      cc?: string[];
      /**
       * @description The addresses of `Bcc`, which no recipient sees. By default `[]`.
       * @example [
       *       "kim@northwind.example"
       *     ]
       */
      bcc?: string[];
      /**
       * @description A single line. By default `""`.
       * @example Your payout of Monday
       */
      subject?: string;
      /**
       * @description The text of the message, in HTML. An image with `src="cid:ID"` is the attachment with that id, shown in the text. By default `""`.
       * @example <p>Hi Anders, it left our bank this morning.</p>
       */
      body?: string;
      /**
       * @description The draft to replace; without it, a draft is created. An integer is accepted too.
       * @example msg_01kar9x4z8c5m7p2t6v3000000
       */
      draft_id?: string | number;
      /**
       * @description The ids of files that the caller has uploaded; at most 25 MB in all. By default `[]`.
       * @example [
       *       "matt_01m7yhs0v8m2p7r4t6w9x1z3b5"
       *     ]
       */
      attachments?: string[];
      /**
       * @description The message that this one answers, whose conversation it joins. By default `null`.
       * @example null
       */
      in_reply_to?: string | null;
    };
    /** @description The response of `POST /v1/me/mail/drafts`. */
    MailSaveDraftResponse: {
      data: components['schemas']['MailMessage'];
      meta: components['schemas']['Meta'];
    };
    /** @description A draft of a mail message. */
    MailMessage: {
      /**
       * @description For a draft, the value of `draft_id`
       * @example msg_01kar9x4z8c5m7p2t6v3000000
       */
      id: string;
      /**
       * @description Always `mail_message`.
       * @enum {string}
       */
      object: 'mail_message';
      /**
       * Format: int32
       * @description The conversation that the message belongs to
       * @example 34
       */
      thread_id: number;
      /**
       * Format: int32
       * @description The mailbox that holds the message
       * @example 1
       */
      address_id: number;
      /**
       * @description The folder that holds the message. One of `inbox`, `drafts`, `sent`, `archive`, `spam`, `trash`; others may be added.
       * @example drafts
       */
      folder: 'inbox' | 'drafts' | 'sent' | 'archive' | 'spam' | 'trash' | (string & Record<never, never>);
      /**
       * @description Empty if the message has none
       * @example Your payout of Monday
       */
      subject: string;
      /** @description The recipients in `To` */
      to_recipients: components['schemas']['MailRecipient'][];
      /** @description The recipients in `Cc` */
      cc_recipients: components['schemas']['MailRecipient'][];
      /**
       * Format: date-time
       * @description When the draft was saved, or the message sent or received; ISO 8601, UTC, microseconds
       * @example 2026-11-21T09:30:00.000000Z
       */
      message_at: string;
    };
    /** @description A recipient of a message. */
    MailRecipient: {
      /**
       * @description The address, as the message has it
       * @example anders.nystrom@example.net
       */
      email: string;
      /**
       * @description The display name; null if the message has none
       * @example Sam Okafor
       */
      name: string | null;
    };
    /** @description The id of the call. */
    Meta: {
      /**
       * @description The id of the call, as in the header `X-Request-Id`
       * @example req_01kar9x4z8c5m7p2t6v3000000
       */
      request_id: string;
    };
    /** @description An error. */
    ApiErrorBody: {
      error: components['schemas']['ApiErrorDetail'];
      meta: components['schemas']['Meta'];
    };
    /** @description What went wrong. */
    ApiErrorDetail: {
      /**
       * @description A stable code to branch on. New codes may be added.
       * @example validation_failed
       */
      code:
        | 'missing_idempotency_key'
        | 'not_a_draft'
        | 'nothing_to_mark'
        | 'invalid_date'
        | 'invalid_window'
        | 'window_too_wide'
        | 'workspace_required'
        | 'invalid_sort'
        | 'invalid_limit'
        | 'invalid_cursor'
        | 'invalid_status'
        | 'invalid_token'
        | 'revoked_token'
        | 'expired_token'
        | 'invalid_credentials'
        | 'second_factor_required'
        | 'invalid_code'
        | 'insufficient_scope'
        | 'admin_access_required'
        | 'workspace_not_permitted'
        | 'forbidden'
        | 'fresh_sign_in_required'
        | 'provider_required'
        | 'calendar_not_permitted'
        | 'resource_not_found'
        | 'method_not_allowed'
        | 'ticket_ended'
        | 'calendar_limit_reached'
        | 'event_limit_reached'
        | 'attachment_limit_reached'
        | 'macro_limit_reached'
        | 'rule_limit_reached'
        | 'assistant_unavailable'
        | 'pre_registration_ended'
        | 'invite_ended'
        | 'reply_sent'
        | 'already_sent'
        | 'undo_expired'
        | 'newer_messages'
        | 'provider_failed'
        | 'challenge_expired'
        | 'idempotency_key_in_use'
        | 'precondition_failed'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'validation_failed'
        | 'rate_limited'
        | 'internal_error'
        | 'unavailable'
        | (string & Record<never, never>);
      /**
       * @description A message for developers. Do not parse it.
       * @example A field is missing or invalid.
       */
      message: string;
      /** @description The invalid fields, where the error is about fields. */
      fields?: components['schemas']['FieldError'][];
      /**
       * @description With `second_factor_required`: stands for the password in the next call.
       * @example Y2hhbGxlbmdl
       */
      challenge?: string;
      /**
       * @description The documentation of the code, relative to the URL of the call.
       * @example /docs/guides/errors#validation_failed
       */
      doc_url?: string;
    };
    /** @description What is wrong with a field. */
    FieldError: {
      /**
       * @description The path of the field; empty for the body itself.
       * @example to[2]
       */
      path: string;
      /**
       * @description A message for developers.
       * @example "to[2]" must be an email address, got "bob".
       */
      message: string;
      /** @description The allowed values, if the caller must choose one of a few: at sign-in, the workspaces of the account. */
      choices?: components['schemas']['FieldChoice'][];
    };
    /** @description One of the values that a field may have. */
    FieldChoice: {
      /**
       * @description The value to send.
       * @example northwind
       */
      value: string;
      /**
       * @description The name to show to users.
       * @example Northwind Trading
       */
      name: string;
    };
    /** @description The body of `POST /v1/me/mail/messages`. */
    MailSendRequest: {
      /**
       * Format: int32
       * @description The mailbox of the sender
       * @example 1
       */
      address_id: number;
      /**
       * @description The addresses of `To`. By default `[]`.
       * @example [
       *       "anders.nystrom@example.net"
       *     ]
       */
      to?: string[];
      /**
       * @description The addresses of `Cc`. By default `[]`.
       * @example [
       *       "sam@northwind.example"
       *     ]
       */
      cc?: string[];
      /**
       * @description The addresses of `Bcc`, which no recipient sees. By default `[]`.
       * @example [
       *       "kim@northwind.example"
       *     ]
       */
      bcc?: string[];
      /**
       * @description A single line. By default `""`.
       * @example Your payout of Monday
       */
      subject?: string;
      /**
       * @description The text of the message, in HTML. An image with `src="cid:ID"` is the attachment with that id, shown in the text. By default `""`.
       * @example <p>Hi Anders, it left our bank this morning.</p>
       */
      body?: string;
      /**
       * @description The draft that becomes the message, with its id. An integer is accepted too.
       * @example msg_01kar9x4z8c5m7p2t6v3000000
       */
      draft_id?: string | number;
      /**
       * @description The ids of files that the caller has uploaded; at most 25 MB in all. By default `[]`.
       * @example [
       *       "matt_01m7yhs0v8m2p7r4t6w9x1z3b5"
       *     ]
       */
      attachments?: string[];
      /**
       * @description The message that this one answers, whose conversation it joins. By default `null`.
       * @example null
       */
      in_reply_to?: string | null;
      /**
       * Format: date-time
       * @description When to send it, at most 90 days ahead; by default after 10 seconds
       * @example 2026-11-23T08:00:00Z
       */
      send_at?: string;
    };
    /** @description The response of `POST /v1/me/mail/messages`. */
    MailSendResponse: {
      data: components['schemas']['SentMessage'];
      meta: components['schemas']['Meta'];
    };
    /** @description A message that was sent, and what became of it. */
    SentMessage: {
      /**
       * @description For a draft, the value of `draft_id`
       * @example msg_01kar9x4z8c5m7p2t6v3000041
       */
      id: string;
      /**
       * @description Always `mail_message`.
       * @enum {string}
       */
      object: 'mail_message';
      /**
       * Format: int32
       * @description The conversation that the message belongs to
       * @example 4
       */
      thread_id: number;
      /**
       * Format: int32
       * @description The mailbox that holds the message
       * @example 1
       */
      address_id: number;
      /**
       * @description The folder that holds the message. One of `inbox`, `drafts`, `sent`, `archive`, `spam`, `trash`; others may be added.
       * @example sent
       */
      folder: 'inbox' | 'drafts' | 'sent' | 'archive' | 'spam' | 'trash' | (string & Record<never, never>);
      /**
       * @description Empty if the message has none
       * @example Your payout of Monday
       */
      subject: string;
      /** @description The recipients in `To` */
      to_recipients: components['schemas']['MailRecipient'][];
      /** @description The recipients in `Cc` */
      cc_recipients: components['schemas']['MailRecipient'][];
      /**
       * Format: date-time
       * @description When the draft was saved, or the message sent or received; ISO 8601, UTC, microseconds
       * @example 2026-11-21T09:30:00.000000Z
       */
      message_at: string;
      from: components['schemas']['MailRecipient'];
      /**
       * @description The beginning of the text, at most 200 characters
       * @example Hi Anders, it left our bank this morning.
       */
      snippet: string;
      /**
       * @description Whether the message was read
       * @example true
       */
      is_read: boolean;
      /**
       * @description The folder to which a restore returns the message. Null: the inbox, or the archive for a message in the archive
       * @example inbox
       */
      previous_folder:
        | 'inbox'
        | 'drafts'
        | 'sent'
        | 'archive'
        | 'spam'
        | 'trash'
        | (string & Record<never, never>)
        | null;
      delivery: components['schemas']['SentDelivery'];
    };
    /** @description What became of a message that was sent. */
    SentDelivery: {
      /**
       * @description `queued` while a recipient is; `sent` when it was for all, also those of this installation; otherwise `failed` or `not_sent`. One of `queued`, `sent`, `delivered_locally`, `failed`, `not_sent`; others may be added.
       * @example sent
       */
      state:
        | 'queued'
        | 'sent'
        | 'delivered_locally'
        | 'failed'
        | 'not_sent'
        | (string & Record<never, never>);
      /**
       * Format: date-time
       * @description Until then it can be taken back; null once it is being sent
       * @example 2026-11-21T09:30:00.000Z
       */
      send_at: string | null;
      /** @description Each recipient once */
      recipients: components['schemas']['SentDeliveryRecipient'][];
    };
    /** @description What became of a message for one recipient. */
    SentDeliveryRecipient: {
      /**
       * @description The address
       * @example anders.nystrom@example.net
       */
      email: string;
      /**
       * @description `sent`: the mail server has accepted it. `delivered_locally`: it is in a mailbox of this installation. `failed`: it was refused, returned, or not accepted within two days. `not_sent`: the installation sends no mail to the outside. One of `queued`, `sent`, `delivered_locally`, `failed`, `not_sent`; others may be added.
       * @example queued
       */
      state:
        | 'queued'
        | 'sent'
        | 'delivered_locally'
        | 'failed'
        | 'not_sent'
        | (string & Record<never, never>);
      /**
       * @description The words of the mail server, or the reason
       * @example 250 2.0.0 Ok: queued as 4cXyz1
       */
      detail: string | null;
    };
    /**
     * @description A folder of a mailbox.
     * @enum {string}
     */
    Folder: 'inbox' | 'drafts' | 'sent' | 'archive' | 'spam' | 'trash';
    /** @description The response of `GET /v1/me/mail/messages`. */
    MailListResponse: {
      /** @description The rows, in the order of the list */
      data: components['schemas']['MailListRow'][];
      meta: components['schemas']['PageMeta'];
    };
    /** @description A message as lists of mail show it. */
    MailListRow: {
      /**
       * @description For a draft, the value of `draft_id`
       * @example msg_01kar9x4z8c5m7p2t6v3000054
       */
      id: string;
      /**
       * @description Always `mail_message`.
       * @enum {string}
       */
      object: 'mail_message';
      /**
       * Format: int32
       * @description The conversation that the message belongs to
       * @example 3
       */
      thread_id: number;
      /**
       * Format: int32
       * @description The mailbox that holds the message
       * @example 1
       */
      address_id: number;
      /**
       * @description The folder that holds the message. One of `inbox`, `drafts`, `sent`, `archive`, `spam`, `trash`; others may be added.
       * @example drafts
       */
      folder: 'inbox' | 'drafts' | 'sent' | 'archive' | 'spam' | 'trash' | (string & Record<never, never>);
      /**
       * @description Empty if the message has none
       * @example Re: Question for an article about evaluation fees
       */
      subject: string;
      /** @description The recipients in `To` */
      to_recipients: components['schemas']['MailRecipient'][];
      /** @description The recipients in `Cc` */
      cc_recipients: components['schemas']['MailRecipient'][];
      /**
       * Format: date-time
       * @description When the draft was saved, or the message sent or received; ISO 8601, UTC, microseconds
       * @example 2026-11-21T09:30:00.000000Z
       */
      message_at: string;
      from: components['schemas']['MailRecipient'];
      /**
       * @description The beginning of the text, at most 200 characters
       * @example Dear Ms Marsh, thank you for asking us directly. The fee is refunded with the first payout of a funded account; for the last quarter that was
       */
      snippet: string;
      /**
       * @description Whether the message was read
       * @example true
       */
      is_read: boolean;
      /**
       * @description The folder to which a restore returns the message. Null: the inbox, or the archive for a message in the archive
       * @example inbox
       */
      previous_folder:
        | 'inbox'
        | 'drafts'
        | 'sent'
        | 'archive'
        | 'spam'
        | 'trash'
        | (string & Record<never, never>)
        | null;
    };
    /** @description The id of the call, and where the next page of a list begins. */
    PageMeta: {
      /**
       * @description The id of the call, as in the header `X-Request-Id`
       * @example req_01kar9x4z8c5m7p2t6v3000000
       */
      request_id: string;
      /**
       * @description Whether there is another page
       * @example true
       */
      has_more: boolean;
      /**
       * @description `starting_after` of the next page; null on the last page
       * @example b3BhcXVl
       */
      next_cursor: string | null;
    };
    /** @description The response of `DELETE /v1/me/mail/messages/{id}/sending`. */
    MailCancelSendingResponse: {
      data: components['schemas']['MailListRow'];
      meta: components['schemas']['Meta'];
    };
    /** @description The body of `POST /v1/me/mail/messages/{id}/restore`. */
    MailRestoreRequest: {
      /**
       * @description Restore the complete conversation. By default `false`.
       * @example false
       */
      conversation?: boolean;
    };
    /** @description The response of `POST /v1/me/mail/messages/{id}/restore`. */
    MailRestoreResponse: {
      data: components['schemas']['MailListRow'];
      meta: components['schemas']['Meta'];
    };
    /** @description The response of `GET /v1/me/mail/mailboxes`. */
    MailMailboxesResponse: {
      /** @description The rows, in the order of the list */
      data: components['schemas']['Mailbox'][];
      meta: components['schemas']['Meta'];
    };
    /** @description A mailbox that the caller may read. */
    Mailbox: {
      /**
       * @description Always `mailbox`.
       * @enum {string}
       */
      object: 'mailbox';
      /**
       * Format: int32
       * @description The `address_id` of its messages
       * @example 4
       */
      id: number;
      /**
       * @description The address of the mailbox
       * @example maya@northgate.example
       */
      email: string;
      /**
       * @description The display name of the mailbox
       * @example Maya Lindqvist
       */
      name: string;
      /**
       * @description Whether the caller may send from it
       * @example true
       */
      can_write: boolean;
      /**
       * Format: int32
       * @description Unread messages in its inbox
       * @example 1
       */
      unread: number;
    };
    /** @description The response of `GET /v1/me/mail/messages/{id}`. */
    MailGetResponse: {
      data: components['schemas']['OpenMailMessage'];
      meta: components['schemas']['Meta'];
    };
    /** @description A complete message. */
    OpenMailMessage: {
      /**
       * @description For a draft, the value of `draft_id`
       * @example msg_01kar9x4z8c5m7p2t6v3000032
       */
      id: string;
      /**
       * @description Always `mail_message`.
       * @enum {string}
       */
      object: 'mail_message';
      /**
       * Format: int32
       * @description The conversation that the message belongs to
       * @example 4
       */
      thread_id: number;
      /**
       * Format: int32
       * @description The mailbox that holds the message
       * @example 1
       */
      address_id: number;
      /**
       * @description The folder that holds the message. One of `inbox`, `drafts`, `sent`, `archive`, `spam`, `trash`; others may be added.
       * @example sent
       */
      folder: 'inbox' | 'drafts' | 'sent' | 'archive' | 'spam' | 'trash' | (string & Record<never, never>);
      /**
       * @description Empty if the message has none
       * @example Re: Platform outage on Tuesday: was my stop honoured?
       */
      subject: string;
      /** @description The recipients in `To` */
      to_recipients: components['schemas']['MailRecipient'][];
      /** @description The recipients in `Cc` */
      cc_recipients: components['schemas']['MailRecipient'][];
      /**
       * Format: date-time
       * @description When the draft was saved, or the message sent or received; ISO 8601, UTC, microseconds
       * @example 2026-11-21T09:30:00.000000Z
       */
      message_at: string;
      from: components['schemas']['MailRecipient'];
      /**
       * @description The beginning of the text, at most 200 characters
       * @example Hi Hannah, thanks for the exact time, that helps. I have asked the liquidity desk for the execution log and will come back to you today. Lena
       */
      snippet: string;
      /**
       * @description Whether the message was read
       * @example true
       */
      is_read: boolean;
      /**
       * @description The folder to which a restore returns the message. Null: the inbox, or the archive for a message in the archive
       * @example inbox
       */
      previous_folder:
        | 'inbox'
        | 'drafts'
        | 'sent'
        | 'archive'
        | 'spam'
        | 'trash'
        | (string & Record<never, never>)
        | null;
      /** @description The recipients in `Bcc` */
      bcc_recipients: components['schemas']['MailRecipient'][];
      /**
       * @description To whom the sender wants answers (`Reply-To`); empty if to `from`
       * @example []
       */
      reply_to: components['schemas']['MailRecipient'][];
      /**
       * @description HTML, of a received message as it came: sanitise it before display
       * @example <p>Hi Hannah,</p><p>thanks for the exact time, that helps. I have asked the liquidity desk for the execution log and will come back to you today.</p><p>Lena</p>
       */
      body: string;
      /** @description Its files */
      attachments: components['schemas']['MailAttachment'][];
      /** @description Its files that are not stored */
      left_out: components['schemas']['LeftOutFiles'][];
      /**
       * @description Of a draft or a message that was sent here: the message that it answers
       * @example null
       */
      in_reply_to: string | null;
      delivery: components['schemas']['NullableSentDelivery'];
      sender_check: components['schemas']['NullableSenderCheck'];
    };
    /** @description A file of a message. */
    MailAttachment: {
      /**
       * @description The id of the file
       * @example matt_01m7yhs0v8m2p7r4t6w9x1z3b5
       */
      id: string;
      /**
       * @description The name to show to users
       * @example statement.pdf
       */
      name: string;
      /**
       * @description The type of the content; `application/octet-stream` if the service does not recognize it. One of `image/png`, `image/jpeg`, `image/gif`, `image/webp`, `image/avif`, `application/pdf`, `application/octet-stream`; others may be added.
       * @example application/pdf
       */
      type:
        | 'image/png'
        | 'image/jpeg'
        | 'image/gif'
        | 'image/webp'
        | 'image/avif'
        | 'application/pdf'
        | 'application/octet-stream'
        | (string & Record<never, never>);
      /**
       * Format: int32
       * @description The number of bytes
       * @example 48213
       */
      size: number;
      /**
       * @description Whether the content was deleted, because the account of the sender was
       * @example false
       */
      deleted: boolean;
      /**
       * @description Whether the content is a program; absent for other files
       * @example true
       */
      program?: boolean;
      /**
       * @description What a scan for malware has found: only `clean` files can be read; absent if the file is not scanned. One of `waiting`, `clean`, `infected`; others may be added.
       * @example clean
       */
      scan?: 'waiting' | 'clean' | 'infected' | (string & Record<never, never>);
      /**
       * @description What follows `cid:` where the body shows it (RFC 2392)
       * @example null
       */
      content_id: string | null;
    };
    /** @description Files of a message that are not stored. */
    LeftOutFiles: {
      /**
       * @description Why they are not stored. One of `too_large`, `too_many`, `empty`; others may be added.
       * @example too_large
       */
      reason: 'too_large' | 'too_many' | 'empty' | (string & Record<never, never>);
      /**
       * Format: int32
       * @description How many they are
       * @example 1
       */
      count: number;
      /**
       * @description The first 10 names
       * @example [
       *       "backup.zip"
       *     ]
       */
      names: string[];
    };
    /** @description Of a message that was sent here; otherwise null. */
    NullableSentDelivery: {
      /**
       * @description `queued` while a recipient is; `sent` when it was for all, also those of this installation; otherwise `failed` or `not_sent`. One of `queued`, `sent`, `delivered_locally`, `failed`, `not_sent`; others may be added.
       * @example sent
       */
      state:
        | 'queued'
        | 'sent'
        | 'delivered_locally'
        | 'failed'
        | 'not_sent'
        | (string & Record<never, never>);
      /**
       * Format: date-time
       * @description Until then it can be taken back; null once it is being sent
       * @example 2026-11-21T09:30:00.000Z
       */
      send_at: string | null;
      /** @description Each recipient once */
      recipients: components['schemas']['SentDeliveryRecipient'][];
    } | null;
    /** @description Of a received message whose sender was checked; otherwise null. */
    NullableSenderCheck: {
      /**
       * @description verified: the domain of the address vouches for the message; unverified: it could not be verified; failed: the domain disowns it. One of `verified`, `unverified`, `failed`; others may be added.
       * @example verified
       */
      status: 'verified' | 'unverified' | 'failed' | (string & Record<never, never>);
      /**
       * @description Another domain that vouches for it
       * @example lists.example.com
       */
      via: string | null;
    } | null;
    /** @description The body of `POST /v1/me/mail/messages/move`. */
    MailMoveRequest: {
      /**
       * @description The ids of the messages. Those that the caller cannot read are ignored
       * @example [
       *       "msg_01kar9x4z8c5m7p2t6v3000063"
       *     ]
       */
      ids: string[];
      folder: components['schemas']['FilingFolder'];
    };
    /**
     * @description The folder to move them to. A draft can only be moved to the trash.
     * @enum {string}
     */
    FilingFolder: 'inbox' | 'archive' | 'spam' | 'trash';
    /** @description The response of `POST /v1/me/mail/messages/move`. */
    MailMoveResponse: {
      data: components['schemas']['MessagesChanged'];
      meta: components['schemas']['Meta'];
    };
    /** @description How many messages a call has changed. */
    MessagesChanged: {
      /**
       * @description Always `mail_messages_changed`.
       * @enum {string}
       */
      object: 'mail_messages_changed';
      /**
       * Format: int32
       * @description The number of messages that changed
       * @example 1
       */
      changed: number;
    };
    /** @description The body of `POST /v1/me/mail/messages/mark`. */
    MailMarkRequest: {
      /**
       * @description The ids of the messages. Those that the caller cannot read are ignored
       * @example [
       *       "msg_01kar9x4z8c5m7p2t6v3000063"
       *     ]
       */
      ids: string[];
      /**
       * @description For every reader of the mailbox
       * @example true
       */
      is_read: boolean;
    };
    /** @description The response of `POST /v1/me/mail/messages/mark`. */
    MailMarkResponse: {
      data: components['schemas']['MessagesChanged'];
      meta: components['schemas']['Meta'];
    };
    /** @description The body of `POST /v1/me/mail/messages/delete`. */
    MailDeleteRequest: {
      /**
       * @description The ids of the messages. Those that the caller cannot read are ignored
       * @example [
       *       "msg_01kar9x4z8c5m7p2t6v3000063"
       *     ]
       */
      ids: string[];
    };
    /** @description The response of `POST /v1/me/mail/messages/delete`. */
    MailDeleteResponse: {
      data: components['schemas']['MessagesChanged'];
      meta: components['schemas']['Meta'];
    };
    /** @description The body of `POST /v1/me/mail/attachments`. */
    MailCreateAttachmentRequest: {
      /**
       * @description The name to show to users
       * @example statement.pdf
       */
      name: string;
      /**
       * Format: int32
       * @description The number of bytes
       * @example 48213
       */
      size: number;
      /**
       * Format: int32
       * @description The mailbox to write from
       * @example 1
       */
      address_id: number;
    };
    /** @description The response of `POST /v1/me/mail/attachments`. */
    MailCreateAttachmentResponse: {
      data: components['schemas']['MailAttachmentCreated'];
      meta: components['schemas']['Meta'];
    };
    /** @description A file that was announced, and where to send its bytes. */
    MailAttachmentCreated: {
      /**
       * @description Always `mail_attachment_upload`.
       * @enum {string}
       */
      object: 'mail_attachment_upload';
      /**
       * @description The id to send in `attachments`
       * @example matt_01kar9x4z8c5m7p2t6v3000094
       */
      id: string;
      /**
       * @description Where to `PUT` the bytes, with the same token
       * @example https://firmdesk.example/attachments/northwind/matt_01m7yhs0v8m2p7r4t6w9x1z3b5
       */
      upload_url: string;
    };
    /** @description The response of `GET /v1/ping`. */
    PingResponse: {
      data: components['schemas']['Ping'];
      meta: components['schemas']['Meta'];
    };
    /** @description What a token is valid for. */
    Ping: {
      /**
       * @description Always true
       * @example true
       */
      ok: boolean;
      /**
       * @description The environment of the token. One of `live`, `test`; others may be added.
       * @example live
       */
      environment: 'live' | 'test' | (string & Record<never, never>);
      /**
       * @description The key’s id; safe to log
       * @example key_01kar9x4z8c5m7p2t6v3000000
       */
      api_key: string;
      /**
       * @description What the token may be used for
       * @example [
       *       "mail:read",
       *       "mail:write",
       *       "calendar:read",
       *       "notifications:write",
       *       "admin:read",
       *       "admin:write",
       *       "affiliates:write",
       *       "calendar:write",
       *       "notifications:read",
       *       "platform:write"
       *     ]
       */
      scopes: (
        | 'mail:read'
        | 'mail:write'
        | 'calendar:read'
        | 'notifications:write'
        | 'admin:read'
        | 'admin:write'
        | 'affiliates:write'
        | 'calendar:write'
        | 'notifications:read'
        | 'platform:write'
        | (string & Record<never, never>)
      )[];
      tenant: components['schemas']['Tenant'];
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      time: string;
    };
    /** @description A firm. */
    Tenant: {
      /**
       * @description The name to show to users
       * @example Northgate Capital
       */
      name: string;
      /**
       * @description The name in the header `Service-Workspace`
       * @example northgate
       */
      slug: string;
    };
    /** @description The body of `POST /v1/sessions`. */
    SessionsSignInRequest: {
      /**
       * @description The firm to act in; required for an account of several
       * @example northwind
       */
      workspace?: string;
      /**
       * @description The name of the device in the list of sessions
       * @example Maya’s new phone
       */
      name?: string;
      /**
       * @description For browsers: the token comes in an HttpOnly cookie and not in the response. By default `false`.
       * @example false
       */
      cookie?: boolean;
      /**
       * Format: idn-email
       * @description The address of the account; required without a challenge
       * @example maya@example.com
       */
      email?: string;
      /**
       * @description The password of the account; required without a challenge
       * @example correct horse battery staple
       */
      password?: string;
      /**
       * @description The challenge of `second_factor_required`, in place of email and password
       * @example q3VtZ0f4b1oYw6b7nJr8sT2uXc5dEhKmPaLg9iVqR0s
       */
      challenge?: string;
      /**
       * @description A code of the authenticator app, or a recovery code
       * @example 123456
       */
      code?: string;
      /**
       * @description The `device` of an earlier sign-in: wrong passwords from other devices do not delay a known device
       * @example dev_4x7q2m
       */
      device?: string;
    };
    /** @description The response of `POST /v1/sessions`. */
    SessionsSignInResponse: {
      data: components['schemas']['SignedIn'];
      meta: components['schemas']['Meta'];
    };
    /** @description A new session with its token, which is shown once. */
    SignedIn: {
      /**
       * @description Always `session`.
       * @enum {string}
       */
      object: 'session';
      /**
       * @description The id of the session, which push notifications name
       * @example key_01kar9x4z8c5m7p2t6v3000006
       */
      id: string;
      /**
       * @description The name of the device, from the sign-in
       * @example Maya’s new phone
       */
      name: string | null;
      /**
       * Format: date-time
       * @description The time of the sign-in
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description The time of the last call, to the minute
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null;
      /**
       * Format: date-time
       * @description Null: the session expires only when it is not used
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string | null;
      /**
       * @description How it was opened; `code` is a password with the code of a second factor. Null for one of before this was stored
       * @example password
       */
      signed_in_by: 'password' | 'code' | 'passkey' | 'provider' | (string & Record<never, never>) | null;
      /**
       * @description Whether the call was made with this session
       * @example true
       */
      current: boolean;
      /**
       * @description The bearer token; null if it is in a cookie
       * @example fd_live_…
       */
      token: string | null;
      /**
       * @description Store it, also after signing out, and send it with the next sign-in. It is not a credential.
       * @example fdd_…
       */
      device: string;
      /**
       * @description What the token may be used for
       * @example [
       *       "mail:read",
       *       "mail:write",
       *       "calendar:read",
       *       "notifications:write",
       *       "admin:read",
       *       "admin:write",
       *       "affiliates:write",
       *       "calendar:write",
       *       "notifications:read"
       *     ]
       */
      scopes: (
        | 'mail:read'
        | 'mail:write'
        | 'calendar:read'
        | 'notifications:write'
        | 'admin:read'
        | 'admin:write'
        | 'affiliates:write'
        | 'calendar:write'
        | 'notifications:read'
        | 'platform:write'
        | (string & Record<never, never>)
      )[];
      tenant: components['schemas']['Tenant'];
      user: components['schemas']['AccountUser'];
    };
    /** @description The account of a session. */
    AccountUser: {
      /**
       * @description The id of the account
       * @example usr_01kar9x4z8c5m7p2t6v3000007
       */
      id: string;
      /**
       * @description The name to show to users
       * @example Maya Lindqvist
       */
      name: string;
      /**
       * @description The address with which the account signs in
       * @example maya@northgate.example
       */
      email: string;
      /**
       * @description The IANA zone of the account, in which days begin
       * @example Europe/London
       */
      timezone: string;
      /**
       * @description The language of push notifications, a BCP 47 tag
       * @example en
       */
      language: string;
    };
    /** @description The response of `GET /v1/me/sessions`. */
    SessionsListResponse: {
      /** @description The rows, in the order of the list */
      data: components['schemas']['Session'][];
      meta: components['schemas']['Meta'];
    };
    /** @description A signed-in device. */
    Session: {
      /**
       * @description Always `session`.
       * @enum {string}
       */
      object: 'session';
      /**
       * @description The id of the session, which push notifications name
       * @example key_01kar9x4z8c5m7p2t6v3000000
       */
      id: string;
      /**
       * @description The name of the device, from the sign-in
       * @example Maya's iPhone
       */
      name: string | null;
      /**
       * Format: date-time
       * @description The time of the sign-in
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description The time of the last call, to the minute
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null;
      /**
       * Format: date-time
       * @description Null: the session expires only when it is not used
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string | null;
      /**
       * @description How it was opened; `code` is a password with the code of a second factor. Null for one of before this was stored
       * @example password
       */
      signed_in_by: 'password' | 'code' | 'passkey' | 'provider' | (string & Record<never, never>) | null;
      /**
       * @description Whether the call was made with this session
       * @example true
       */
      current: boolean;
    };
    /** @description The response of `DELETE /v1/me/sessions/{id}`. */
    SessionsEndResponse: {
      data: components['schemas']['SessionEnded'];
      meta: components['schemas']['Meta'];
    };
    /** @description The confirmation that a session has ended. */
    SessionEnded: {
      /**
       * @description Always `session_ended`.
       * @enum {string}
       */
      object: 'session_ended';
      /**
       * @description The id of the session that was signed out
       * @example key_01kar9x4z8c5m7p2t6v3000000
       */
      id: string;
    };
    /** @description The response of `DELETE /v1/me/session`. */
    SessionsSignOutResponse: {
      data: components['schemas']['SessionEnded'];
      meta: components['schemas']['Meta'];
    };
    /** @description The body of `PUT /v1/me/password`. */
    SessionsChangePasswordRequest: {
      /**
       * @description The password until now
       * @example northgate-demo
       */
      current_password: string;
      /**
       * @description The password from now on
       * @example a long one, and new
       */
      new_password: string;
      /**
       * @description Whether the passkeys of the account end too. By default `false`.
       * @example false
       */
      remove_passkeys?: boolean;
    };
    /** @description The response of `PUT /v1/me/password`. */
    SessionsChangePasswordResponse: {
      data: components['schemas']['PasswordChanged'];
      meta: components['schemas']['Meta'];
    };
    /** @description The confirmation of a changed password. */
    PasswordChanged: {
      /**
       * @description Always `password_changed`.
       * @enum {string}
       */
      object: 'password_changed';
      /**
       * Format: int32
       * @description The number of other devices that the change signed out
       * @example 0
       */
      signed_out: number;
      /** @description The passkeys that still open the account */
      passkeys: components['schemas']['Passkey'][];
    };
    /** @description A passkey of the account. */
    Passkey: {
      /**
       * @description Always `passkey`.
       * @enum {string}
       */
      object: 'passkey';
      /**
       * Format: uuid
       * @description The id of the passkey
       * @example 0197a6f2-5b1c-7d3e-9f40-1a2b3c4d5e6f
       */
      id: string;
      /**
       * @description The name that its owner gave it
       * @example Laptop
       */
      name: string;
      /**
       * Format: date-time
       * @description When it was added
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it last opened or confirmed a session
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null;
    };
    /** @description The body of `POST /v1/me/devices`. */
    DevicesRegisterRequest: {
      app: components['schemas']['DevicesRegisterRequestApp'];
      environment: components['schemas']['DevicesRegisterRequestEnvironment'];
      /**
       * @description The device token from Apple’s push service, in hexadecimal
       * @example a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1a3f1
       */
      token: string;
      /**
       * @description The language of the phone, a BCP 47 tag
       * @example en-GB
       */
      locale?: string;
      /**
       * @description Calendar reminders state times in it
       * @example Europe/London
       */
      timezone?: string;
      /**
       * @description The version of the app
       * @example 3.9.0
       */
      app_version?: string;
      /**
       * @description The version of the phone’s system
       * @example 26.1
       */
      os_version?: string;
    };
    /**
     * @description The app that is registered.
     * @enum {string}
     */
    DevicesRegisterRequestApp: 'mail' | 'calendar' | 'admin';
    /**
     * @description The environment of Apple’s push service for which the app was built.
     * @enum {string}
     */
    DevicesRegisterRequestEnvironment: 'sandbox' | 'production';
    /** @description The response of `POST /v1/me/devices`. */
    DevicesRegisterResponse: {
      data: components['schemas']['PushDevice'];
      meta: components['schemas']['Meta'];
    };
    /** @description An app on a phone that receives push notifications. */
    PushDevice: {
      /**
       * @description Always `push_device`.
       * @enum {string}
       */
      object: 'push_device';
      /**
       * @description The app that is registered. One of `mail`, `calendar`, `admin`; others may be added.
       * @example mail
       */
      app: 'mail' | 'calendar' | 'admin' | (string & Record<never, never>);
      /**
       * @description The environment of Apple’s push service for which the app was built. One of `sandbox`, `production`; others may be added.
       * @example production
       */
      environment: 'sandbox' | 'production' | (string & Record<never, never>);
      /**
       * Format: date-time
       * @description The time of the first registration
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description The time of the latest registration
       * @example 2026-11-21T09:30:00.000Z
       */
      last_seen_at: string;
    };
    /** @description The response of `GET /v1/me/devices/pushes`. */
    DevicesPushesResponse: {
      /** @description The rows, in the order of the list */
      data: components['schemas']['RecordedPush'][];
      meta: components['schemas']['Meta'];
    };
    /** @description A push notification as it was given to the push service, or would have been. */
    RecordedPush: {
      /**
       * @description Always `recorded_push`.
       * @enum {string}
       */
      object: 'recorded_push';
      /**
       * Format: uuid
       * @description The id of the push, which a sent one would have as its `apns-id`
       * @example 6f8c2f0e-8a53-4a7e-9d0b-3c1f5e7a9b24
       */
      id: string;
      /**
       * @description The app that would get it. One of `mail`, `calendar`, `admin`, `browser`; others may be added.
       * @example mail
       */
      app: 'mail' | 'calendar' | 'admin' | 'browser' | (string & Record<never, never>);
      /**
       * @description What the phone would get; null for a push that was dropped
       * @example {
       *       "aps": {
       *         "alert": {
       *           "title": "Ann",
       *           "body": "Hello"
       *         }
       *       }
       *     }
       */
      payload: {
        [key: string]: unknown;
      } | null;
      /**
       * @description Why it would not be sent: such as `muted` or `own`; null for a recorded push
       * @example muted
       */
      dropped: string | null;
      /**
       * Format: date-time
       * @description When it was queued
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
    };
    /** @description The body of `POST /v1/me/notifications/read`. */
    NotificationsMarkReadRequest: {
      /**
       * @description The notifications to mark; unknown ids are ignored
       * @example [
       *       "6f1f2f0e-6a44-4f7e-9d53-0c1f0a5f7b10"
       *     ]
       */
      ids?: string[];
      /**
       * @description Marks every unread notification; overrides `ids`
       * @example true
       */
      all?: boolean;
    };
    /** @description The response of `POST /v1/me/notifications/read`. */
    NotificationsMarkReadResponse: {
      data: components['schemas']['NotificationsRead'];
      meta: components['schemas']['Meta'];
    };
    /** @description How many notifications a call has marked as read, and how many are unread. */
    NotificationsRead: {
      /**
       * @description Always `notifications_read`.
       * @enum {string}
       */
      object: 'notifications_read';
      /**
       * Format: int32
       * @description The number of notifications that this call marked
       * @example 6
       */
      marked: number;
      /**
       * Format: int32
       * @description The number of unread notifications that remain
       * @example 0
       */
      unread: number;
    };
    /**
     * @description A status of pre-registrations, as a filter.
     * @enum {string}
     */
    AffiliatesListStatus: 'pending' | 'claimed' | 'revoked' | 'expired';
    /** @description The response of `GET /v1/affiliates/pre-registrations`. */
    AffiliatesListResponse: {
      /** @description The rows, in the order of the list */
      data: components['schemas']['PreRegistration'][];
      meta: components['schemas']['PageMeta'];
    };
    /** @description A referral code that is reserved for a future affiliate. */
    PreRegistration: {
      /**
       * @description The id of the pre-registration
       * @example aff_pre_01kar9x4z8c5m7p2t6v3000000
       */
      id: string;
      /**
       * @description Always `affiliate_pre_registration`.
       * @enum {string}
       */
      object: 'affiliate_pre_registration';
      /**
       * @description The address of the affiliate
       * @example bea.trades@example.org
       */
      email: string;
      /**
       * @description The reserved code
       * @example BEA10
       */
      referral_code: string;
      /**
       * @description The link that carries the code
       * @example https://northgate.example/r/BEA10
       */
      referral_url: string;
      /**
       * @description Only a pending one can change; past `expires_at` it is expired. One of `pending`, `claimed`, `revoked`, `expired`; others may be added.
       * @example pending
       */
      status: 'pending' | 'claimed' | 'revoked' | 'expired' | (string & Record<never, never>);
      /**
       * @description The origin of the reservation
       * @example api
       */
      source: string;
      /**
       * @description Any JSON of the caller’s
       * @example {
       *       "seat": 41,
       *       "campaign": "spring-webinar"
       *     }
       */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description The time of the reservation
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description Null: the reservation does not expire
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string | null;
      /**
       * Format: date-time
       * @description The time at which the affiliate claimed the code
       * @example 2026-11-21T09:30:00.000Z
       */
      claimed_at: string | null;
      /**
       * Format: date-time
       * @description The time of the latest invitation to the affiliate
       * @example 2026-11-21T09:30:00.000Z
       */
      last_sent_at: string;
    };
    /** @description The response of `POST /v1/affiliates/pre-registrations/{id}/resend`. */
    AffiliatesResendResponse: {
      data: components['schemas']['PreRegistration'];
      meta: components['schemas']['Meta'];
    };
    /** @description The response of `GET /v1/me/calendar/events`. */
    CalendarListResponse: {
      /** @description The rows, in the order of the list */
      data: components['schemas']['CalendarEvent'][];
      meta: components['schemas']['CalendarListResponseMeta'];
    };
    /** @description One appearance of an event in the requested window. */
    CalendarEvent: {
      /**
       * @description Always `calendar_event`.
       * @enum {string}
       */
      object: 'calendar_event';
      /**
       * Format: int32
       * @description The id of the event, which all occurrences of a series share
       * @example 28
       */
      id: number;
      /**
       * Format: date-time
       * @description The recurrence id: the start that the rule gives this occurrence; null for an event that does not repeat
       * @example 2026-11-21T09:30:00.000Z
       */
      occurrence_start: string | null;
      /**
       * Format: int32
       * @description The calendar that holds the event
       * @example 5
       */
      calendar_id: number;
      /**
       * @description `Busy` if the caller may only see that time is taken
       * @example Busy
       */
      title: string;
      /**
       * @description The text of the event
       * @example What is stuck, who is out, what traders complain about today.
       */
      description: string | null;
      /**
       * @description The place of the event
       * @example Room 4
       */
      location: string | null;
      /**
       * Format: date-time
       * @description The start of the occurrence; ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      starts_at: string;
      /**
       * Format: date-time
       * @description The end of the occurrence, exclusive; ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      ends_at: string;
      /**
       * @description Whether the occurrence takes whole days in `timezone`
       * @example false
       */
      all_day: boolean;
      /**
       * @description The IANA zone in which the event repeats
       * @example Europe/London
       */
      timezone: string;
      /**
       * @description pending: an invitation without a response. One of `confirmed`, `pending`; others may be added.
       * @example confirmed
       */
      status: 'confirmed' | 'pending' | (string & Record<never, never>);
      /**
       * @description The origin of the event. One of `manual`, `mail`, `import`; others may be added.
       * @example manual
       */
      source: 'manual' | 'mail' | 'import' | (string & Record<never, never>);
      /**
       * @description Whether the event repeats
       * @example true
       */
      is_recurring: boolean;
      /**
       * @description RFC 5545 RRULE value
       * @example FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR
       */
      recurrence_rule: string | null;
      conference: components['schemas']['CalendarEventConference'];
      organizer: components['schemas']['CalendarEventOrganizer'];
      /** @description The invited people */
      attendees: components['schemas']['CalendarEventAttendee'][];
      /** @description The caller’s own */
      reminders: components['schemas']['CalendarEventReminder'][];
      /** @description The labels of the event */
      tags: components['schemas']['CalendarEventTag'][];
      /**
       * @description Whether the caller may change the event
       * @example false
       */
      can_write: boolean;
    };
    /** @description How to join the online meeting of an event. All fields are null if there is none. */
    CalendarEventConference: {
      /**
       * @description The conference’s service
       * @example zoom
       * @example google_meet
       * @example teams
       * @example other
       */
      provider: string | null;
      /**
       * @description The link to join
       * @example https://meet.northgate.example/j/81542209930
       */
      url: string | null;
      /**
       * @description The number to join by telephone or in the app
       * @example 81542209930
       */
      meeting_id: string | null;
      /**
       * @description The passcode to join
       * @example desk
       */
      passcode: string | null;
    };
    /** @description Who organizes an event. */
    CalendarEventOrganizer: {
      /**
       * @description The display name
       * @example Maya Lindqvist
       */
      name: string | null;
      /**
       * @description The address of the organizer
       * @example maya@northgate.example
       */
      email: string | null;
    };
    /** @description A person who is invited to an event, and the answer to the invitation. */
    CalendarEventAttendee: {
      /**
       * @description The display name
       * @example Maya Lindqvist
       */
      name: string | null;
      /**
       * @description The address of the attendee
       * @example maya@northgate.example
       */
      email: string;
      /**
       * @description The response to the invitation
       * @example needs_action
       * @example accepted
       * @example declined
       * @example tentative
       */
      response: string;
      /**
       * @description Whether the attendee organizes the event
       * @example true
       */
      is_organizer: boolean;
      /**
       * @description Whether the attendance is optional
       * @example false
       */
      is_optional: boolean;
    };
    /** @description When and how the caller is reminded of an event. */
    CalendarEventReminder: {
      /**
       * Format: int32
       * @description Minutes between the reminder and the start
       * @example 5
       */
      minutes_before: number;
      /**
       * @description How the caller is reminded
       * @example push
       * @example email
       */
      channel: string;
    };
    /** @description A label of events, which all of the firm use. */
    CalendarEventTag: {
      /**
       * Format: int32
       * @description The id of the tag
       * @example 3
       */
      id: number;
      /**
       * @description The name to show to users
       * @example Trading rules
       */
      name: string;
      /**
       * @description The color to show, in hexadecimal
       * @example #b45309
       */
      color: string;
    };
    /** @description The id of the call, and the window that was read. */
    CalendarListResponseMeta: {
      /**
       * @description The id of the call, as in the header `X-Request-Id`
       * @example req_01kar9x4z8c5m7p2t6v3000000
       */
      request_id: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      until: string;
      /**
       * @description There may be more: the window has more than 10000 occurrences or 16 MiB of text, or an event took too much work to expand and only its first occurrence is included
       * @example true
       */
      truncated?: boolean;
    };
    /**
     * @description A status of tickets, as a filter.
     * @default all
     * @enum {string}
     */
    TicketsListStatus: 'waiting' | 'open' | 'ai' | 'trader' | 'ended' | 'all';
    /**
     * @description A priority of tickets, as a filter.
     * @default all
     * @enum {string}
     */
    TicketsListPriority: 'urgent' | 'high' | 'normal' | 'low' | 'all';
    /**
     * @description Whether snoozed tickets are listed, as a filter.
     * @default all
     * @enum {string}
     */
    TicketsListSnoozed: 'all' | 'hidden' | 'only';
    /**
     * @description The order of a list of tickets; a leading `-` reverses it.
     * @default queue
     * @enum {string}
     */
    TicketSort: 'queue' | '-last_message_at' | '-created_at' | 'created_at' | '-priority' | 'next_due_at';
    /** @description The response of `GET /v1/admin/tickets`. */
    TicketsListResponse: {
      /** @description The rows, in the order of the list */
      data: components['schemas']['Ticket'][];
      meta: components['schemas']['PageMeta'];
    };
    /** @description A support ticket. */
    Ticket: {
      /**
       * @description Always `ticket`.
       * @enum {string}
       */
      object: 'ticket';
      /**
       * @description The id of the ticket
       * @example tkt_01kar9x4z8c5m7p2t6v3000000
       */
      id: string;
      /**
       * @description # and the last six characters of the id
       * @example #4X7Q2M
       */
      number: string;
      /**
       * @description The subject of the conversation
       * @example Breached daily drawdown while I was in profit??
       */
      subject: string;
      /**
       * @description open: the assistant answers; awaiting_admin: waits for the team; resolved and closed are final. One of `open`, `awaiting_admin`, `awaiting_trader`, `resolved`, `closed`; others may be added.
       * @example awaiting_admin
       */
      status:
        | 'open'
        | 'awaiting_admin'
        | 'awaiting_trader'
        | 'resolved'
        | 'closed'
        | (string & Record<never, never>);
      /**
       * @description Set by the team. One of `urgent`, `high`, `normal`, `low`; others may be added.
       * @example urgent
       */
      priority: 'urgent' | 'high' | 'normal' | 'low' | (string & Record<never, never>);
      /**
       * @description Whether the assistant answers the trader
       * @example true
       */
      ai_enabled: boolean;
      /**
       * @description Whether the assistant is permanently off for the ticket
       * @example false
       */
      ai_blocked: boolean;
      /**
       * Format: int32
       * @description Messages of the trader and the assistant that the team has not read
       * @example 4
       */
      unread: number;
      /**
       * @description The author of the latest message
       * @example trader
       */
      last_from: 'trader' | 'admin' | 'ai' | 'system' | (string & Record<never, never>) | null;
      /**
       * Format: date-time
       * @description The time of the latest message
       * @example 2026-11-21T09:30:00.000Z
       */
      last_message_at: string;
      /**
       * Format: date-time
       * @description The time at which the ticket was opened
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description The time at which the ticket was resolved or closed
       * @example 2026-11-21T09:30:00.000Z
       */
      closed_at: string | null;
      /**
       * @description Whether the console leaves it out of its lists for now
       * @example false
       */
      snoozed: boolean;
      /**
       * Format: date-time
       * @description The end of the snooze; null if it is not snoozed, or until the trader writes
       * @example 2026-11-21T09:30:00.000Z
       */
      snoozed_until: string | null;
      /**
       * Format: date-time
       * @description The time at which the last snooze ended, until the team replies
       * @example 2026-11-21T09:30:00.000Z
       */
      woken_at: string | null;
      /**
       * Format: date-time
       * @description The time until which the team is to reply first; null without a target, and while the ticket does not await the team
       * @example 2026-11-21T09:30:00.000Z
       */
      first_response_due_at: string | null;
      /**
       * Format: date-time
       * @description The time until which the ticket is to be resolved; null without a target, and while the ticket does not await the team
       * @example 2026-11-21T09:30:00.000Z
       */
      resolution_due_at: string | null;
      trader: components['schemas']['TicketTrader'];
      assignee: components['schemas']['NullableAgent'];
      team: components['schemas']['NullableTeam'];
      /** @description The labels of the ticket */
      tags: components['schemas']['TicketTag'][];
      /**
       * @description Path inside the web application
       * @example /tickets/tkt_01kar9x4z8c5m7p2t6v3000000
       */
      action_url: string;
    };
    /** @description The trader who has opened a ticket. */
    TicketTrader: {
      /**
       * @description The id of the trader’s account
       * @example usr_01kar9x4z8c5m7p2t6v3000001
       */
      id: string;
      /**
       * @description The name to show to users
       * @example Jamal Whitaker
       */
      name: string;
      /**
       * @description The address of the trader
       * @example jamal.whitaker@example.net
       */
      email: string;
      /**
       * @description The URL of a picture, of this service or another. It needs no token
       * @example https://desk.example.com/avatars/a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e
       */
      avatar_url: string | null;
      /**
       * @description Whether the account was deleted
       * @example false
       */
      deleted: boolean;
    };
    /** @description The agent of the team whom a ticket is assigned to. */
    NullableAgent: {
      /**
       * @description The id of the account
       * @example usr_01kar9x4z8c5m7p2t6v3000004
       */
      id: string;
      /**
       * @description The name to show to users
       * @example Tom Okafor
       */
      name: string;
      /**
       * @description The URL of a picture, of this service or another. It needs no token
       * @example https://desk.example.com/avatars/a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e
       */
      avatar_url: string | null;
    } | null;
    /** @description The team that a ticket is assigned to. */
    NullableTeam: {
      /**
       * Format: int32
       * @description The id of the team
       * @example 3
       */
      id: number;
      /**
       * @description The name to show to users
       * @example Risk
       */
      name: string;
    } | null;
    /** @description A label of tickets. */
    TicketTag: {
      /**
       * Format: int32
       * @description The id of the tag
       * @example 3
       */
      id: number;
      /**
       * @description The name to show to users
       * @example Trading rules
       */
      name: string;
      /**
       * @description The color to show, in hexadecimal
       * @example #b45309
       */
      color: string;
    };
    /** @description The body of `POST /v1/admin/tickets/{ticket}/ai`. */
    TicketsAskAssistantRequest: {
      /**
       * @description What the assistant is asked to write to the trader
       * @example Thank him, and ask for a statement that shows both holders.
       */
      instruction: string;
      /**
       * @description The last message that the caller has seen, null if there was none. If others have written since, the call is rejected.
       * @example tmsg_01kar9x4z8c5m7p2t6v3wbqdhj
       */
      seen_message_id?: string | null;
    };
    /** @description The response of `POST /v1/admin/tickets/{ticket}/ai`. */
    TicketsAskAssistantResponse: {
      data: components['schemas']['TicketMessage'];
      meta: components['schemas']['Meta'];
    };
    /** @description A message or an internal note of a ticket. */
    TicketMessage: {
      /**
       * @description Always `ticket_message`.
       * @enum {string}
       */
      object: 'ticket_message';
      /**
       * @description The id of the message
       * @example tmsg_01kar9x4z8c5m7p2t6v3000019
       */
      id: string;
      /**
       * @description The ticket that the message belongs to
       * @example tkt_01kar9x4z8c5m7p2t6v3000018
       */
      ticket_id: string;
      /**
       * @description The kind of author. One of `trader`, `admin`, `ai`, `system`; others may be added.
       * @example admin
       */
      from: 'trader' | 'admin' | 'ai' | 'system' | (string & Record<never, never>);
      /**
       * @description The author’s name, to show to users
       * @example Maya Lindqvist
       */
      author: string;
      /**
       * @description The text of the message; grows while `streaming`
       * @example /ai Thank him, and ask for a statement that shows both holders.
       */
      body: string;
      /**
       * @description The URL of an attached image
       * @example https://northwind.example/statement.png
       */
      image_url: string | null;
      /**
       * @description The file name of the image
       * @example statement.png
       */
      image_name: string | null;
      /** @description The files of the message */
      attachments: components['schemas']['Attachment'][];
      /**
       * @description A note that only the team sees
       * @example true
       */
      internal: boolean;
      /**
       * @description Whether the assistant is still writing the message
       * @example false
       */
      streaming: boolean;
      /**
       * @description Whether the message came by email
       * @example false
       */
      via_email: boolean;
      /**
       * @description The change that a message of the system reports
       * @example ai_command
       */
      event: string | null;
      /**
       * Format: date-time
       * @description The time at which the team read the message
       * @example 2026-11-21T09:30:00.000Z
       */
      read_at: string | null;
      /**
       * Format: date-time
       * @description The time at which the message was written
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description The text with formatting, in HTML of few elements: paragraphs, emphasis, lists, links, quotes and code; absent without formatting
       * @example <p>It comes <strong>today</strong>.</p>
       */
      body_html?: string;
      /**
       * @description The ids of the colleagues whom a note mentions; absent if there are none
       * @example [
       *       "usr_01kar9x4z8c5m7p2t6v3wbqdhj"
       *     ]
       */
      mentions?: string[];
    };
    /** @description A file of a ticket’s message. */
    Attachment: {
      /**
       * @description The id of the file
       * @example att_01m7yhs0v8m2p7r4t6w9x1z3b5
       */
      id: string;
      /**
       * @description The name to show to users
       * @example statement.pdf
       */
      name: string;
      /**
       * @description The type of the content; `application/octet-stream` if the service does not recognize it. One of `image/png`, `image/jpeg`, `image/gif`, `image/webp`, `image/avif`, `application/pdf`, `application/octet-stream`; others may be added.
       * @example application/pdf
       */
      type:
        | 'image/png'
        | 'image/jpeg'
        | 'image/gif'
        | 'image/webp'
        | 'image/avif'
        | 'application/pdf'
        | 'application/octet-stream'
        | (string & Record<never, never>);
      /**
       * Format: int32
       * @description The number of bytes
       * @example 48213
       */
      size: number;
      /**
       * @description Whether the content was deleted, because the account of the trader or the author was
       * @example false
       */
      deleted: boolean;
      /**
       * @description Whether the content is a program; absent for other files
       * @example true
       */
      program?: boolean;
      /**
       * @description What a scan for malware has found: only `clean` files can be read; absent if the file is not scanned. One of `waiting`, `clean`, `infected`; others may be added.
       * @example clean
       */
      scan?: 'waiting' | 'clean' | 'infected' | (string & Record<never, never>);
    };
  };
  responses: never;
  parameters: {
    /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
    'Idempotency-Key': string;
    /** @description The `ETag` of the version to replace. If the current version is another one, the call fails with 412. */
    'If-Match': string;
    /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
    'If-None-Match': string;
    /** @description The firm’s slug. Required from the service’s own staff; optional for members of a firm. */
    'Service-Workspace': string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  mail_saveDraft: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The `ETag` of the version to replace. If the current version is another one, the call fails with 412. */
        'If-Match'?: components['parameters']['If-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MailSaveDraftRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailSaveDraftResponse'];
        };
      };
    };
  };
  mail_list: {
    parameters: {
      query?: {
        /** @description Only messages of this mailbox; by default of every mailbox that the caller may read */
        address_id?: number;
        /** @description Only messages of this folder; by default `inbox`, or all with `q` */
        folder?: components['schemas']['Folder'];
        /** @description Words and `"phrases"`, each of which must be in the addresses, the names, the subject, the text or the names of received files, and operators: `from:`, `to:` (also `Cc` and `Bcc`) and `subject:` with a word or a phrase, `in:` with a folder, `has:attachment`, `is:unread`, `before:` and `after:` with a day such as `2026-11-27` in the account’s time zone (`after:` includes it). A term that begins with `-` must not be true. Letters match as in the search of tickets. With `q`, all folders are searched unless one is named, and of each text the first 50,000 characters. */
        q?: string;
        /** @description Only messages that were not read */
        unread?: boolean;
        /**
         * @description Rows of a page; more than 100 counts as 100
         * @example 2
         */
        limit?: number;
        /** @description `next_cursor` of the previous page */
        starting_after?: string;
      };
      header?: {
        /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailListResponse'];
        };
      };
    };
  };
  mail_send: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MailSendRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          'application/json': components['schemas']['MailSendResponse'];
        };
      };
    };
  };
  mail_cancelSending: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of the message
         * @example msg_01kar9x4z8c5m7p2t6v3000054
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailCancelSendingResponse'];
        };
      };
    };
  };
  mail_restore: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path: {
        /**
         * @description The id of the message
         * @example msg_01kar9x4z8c5m7p2t6v3000106
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['MailRestoreRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailRestoreResponse'];
        };
      };
    };
  };
  mail_mailboxes: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailMailboxesResponse'];
        };
      };
    };
  };
  mail_get: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path: {
        /**
         * @description The id of the message
         * @example msg_01kar9x4z8c5m7p2t6v3000032
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailGetResponse'];
        };
      };
    };
  };
  mail_move: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MailMoveRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailMoveResponse'];
        };
      };
    };
  };
  mail_mark: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MailMarkRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailMarkResponse'];
        };
      };
    };
  };
  mail_delete: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MailDeleteRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['MailDeleteResponse'];
        };
      };
    };
  };
  mail_createAttachment: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MailCreateAttachmentRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          'application/json': components['schemas']['MailCreateAttachmentResponse'];
        };
      };
    };
  };
  ping: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['PingResponse'];
        };
      };
    };
  };
  sessions_signIn: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['SessionsSignInRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          'application/json': components['schemas']['SessionsSignInResponse'];
        };
      };
    };
  };
  sessions_list: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['SessionsListResponse'];
        };
      };
    };
  };
  sessions_end: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of the session
         * @example key_01kar9x4z8c5m7p2t6v3000000
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['SessionsEndResponse'];
        };
      };
    };
  };
  sessions_signOut: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['SessionsSignOutResponse'];
        };
      };
    };
  };
  sessions_changePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SessionsChangePasswordRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['SessionsChangePasswordResponse'];
        };
      };
    };
  };
  devices_register: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DevicesRegisterRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['DevicesRegisterResponse'];
        };
      };
      /** @description Success */
      201: {
        content: {
          'application/json': components['schemas']['DevicesRegisterResponse'];
        };
      };
    };
  };
  devices_pushes: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['DevicesPushesResponse'];
        };
      };
    };
  };
  notifications_markRead: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NotificationsMarkReadRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['NotificationsMarkReadResponse'];
        };
      };
    };
  };
  affiliates_list: {
    parameters: {
      query?: {
        /**
         * @description Only pre-registrations with this status
         * @example pending
         */
        status?: components['schemas']['AffiliatesListStatus'];
        /** @description Exact match, ignoring case */
        email?: string;
        /**
         * @description Rows of a page; more than 100 counts as 100
         * @example 2
         */
        limit?: number;
        /** @description `next_cursor` of the previous page */
        starting_after?: string;
      };
      header?: {
        /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description The firm’s slug. Required from the service’s own staff; optional for members of a firm. */
        'Service-Workspace'?: components['parameters']['Service-Workspace'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['AffiliatesListResponse'];
        };
      };
    };
  };
  affiliates_resend: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The firm’s slug. Required from the service’s own staff; optional for members of a firm. */
        'Service-Workspace'?: components['parameters']['Service-Workspace'];
      };
      path: {
        /**
         * @description The id of the pre-registration
         * @example aff_pre_01kar9x4z8c5m7p2t6v3000000
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['AffiliatesResendResponse'];
        };
      };
    };
  };
  calendar_list: {
    parameters: {
      query?: {
        /**
         * @description ISO 8601 date or date-time; without an offset, in the account’s time zone
         * @example 2026-11-23
         */
        from?: string;
        /**
         * @description ISO 8601 date or date-time; without an offset, in the account’s time zone
         * @example 2026-11-24
         */
        until?: string;
        /** @description Ids of calendars; those that the caller cannot see are ignored */
        'calendars[]'?: string[];
      };
      header?: {
        /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['CalendarListResponse'];
        };
      };
    };
  };
  tickets_list: {
    parameters: {
      query?: {
        /**
         * @description waiting: awaits the team; open: not ended; ai: the assistant answers; trader: awaits the trader
         * @example waiting
         */
        status?: components['schemas']['TicketsListStatus'];
        /** @description me: assigned to the caller or to a team of the caller; none: no agent and no team */
        assignee?: string;
        /** @description The id of a team; none: no team */
        team?: string;
        /** @description Only tickets with this priority */
        priority?: components['schemas']['TicketsListPriority'];
        /** @description Only tickets with this tag */
        tag?: string;
        /** @description hidden: without snoozed tickets; only: only these */
        snoozed?: components['schemas']['TicketsListSnoozed'];
        /** @description The id of a ticket or trader; otherwise words, each of which must be in the subject, the trader’s name or email, or any message. A word that begins with # is matched against the number. */
        q?: string;
        /** @description queue: tickets that wait for the team first, the most urgent and longest waiting at the top; next_due_at: those whose next SLA target is due first */
        sort?: components['schemas']['TicketSort'];
        /**
         * @description Rows of a page; more than 100 counts as 100
         * @example 2
         */
        limit?: number;
        /** @description `next_cursor` of the previous page, with the same `sort` */
        starting_after?: string;
      };
      header?: {
        /** @description The `ETag` of the response that the client has. If a new response would be the same, the call answers 304 without a body. */
        'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description The firm’s slug. Required from the service’s own staff; optional for members of a firm. */
        'Service-Workspace'?: components['parameters']['Service-Workspace'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        content: {
          'application/json': components['schemas']['TicketsListResponse'];
        };
      };
    };
  };
  tickets_askAssistant: {
    parameters: {
      query?: never;
      header?: {
        /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description The firm’s slug. Required from the service’s own staff; optional for members of a firm. */
        'Service-Workspace'?: components['parameters']['Service-Workspace'];
      };
      path: {
        /**
         * @description The id of the ticket
         * @example tkt_01kar9x4z8c5m7p2t6v3000018
         */
        ticket: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TicketsAskAssistantRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        content: {
          'application/json': components['schemas']['TicketsAskAssistantResponse'];
        };
      };
    };
  };
}

/** The error codes of each operation. */
export interface RestErrorCodes {
  'POST /v1/me/mail/drafts':
    | 'missing_idempotency_key'
    | 'not_a_draft'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'resource_not_found'
    | 'idempotency_key_in_use'
    | 'precondition_failed'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/me/mail/messages':
    | 'missing_idempotency_key'
    | 'not_a_draft'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'resource_not_found'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/me/mail/messages':
    | 'invalid_limit'
    | 'invalid_cursor'
    | 'validation_failed'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'resource_not_found'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'DELETE /v1/me/mail/messages/{id}/sending':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'resource_not_found'
    | 'already_sent'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/me/mail/messages/{id}/restore':
    | 'missing_idempotency_key'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'resource_not_found'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/me/mail/mailboxes':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/me/mail/messages/{id}':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'resource_not_found'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/me/mail/messages/move':
    | 'missing_idempotency_key'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/me/mail/messages/mark':
    | 'missing_idempotency_key'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/me/mail/messages/delete':
    | 'missing_idempotency_key'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/me/mail/attachments':
    | 'missing_idempotency_key'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'resource_not_found'
    | 'attachment_limit_reached'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/ping':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'workspace_not_permitted'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/sessions':
    | 'missing_idempotency_key'
    | 'invalid_credentials'
    | 'second_factor_required'
    | 'invalid_code'
    | 'workspace_not_permitted'
    | 'provider_required'
    | 'challenge_expired'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/me/sessions':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'workspace_not_permitted'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'DELETE /v1/me/sessions/{id}':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'workspace_not_permitted'
    | 'resource_not_found'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'DELETE /v1/me/session':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'workspace_not_permitted'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'PUT /v1/me/password':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'workspace_not_permitted'
    | 'forbidden'
    | 'fresh_sign_in_required'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/me/devices':
    | 'missing_idempotency_key'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'workspace_not_permitted'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/me/devices/pushes':
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'workspace_not_permitted'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/me/notifications/read':
    | 'missing_idempotency_key'
    | 'nothing_to_mark'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/affiliates/pre-registrations':
    | 'workspace_required'
    | 'invalid_limit'
    | 'invalid_cursor'
    | 'invalid_status'
    | 'validation_failed'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'admin_access_required'
    | 'workspace_not_permitted'
    | 'forbidden'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/affiliates/pre-registrations/{id}/resend':
    | 'missing_idempotency_key'
    | 'workspace_required'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'admin_access_required'
    | 'workspace_not_permitted'
    | 'forbidden'
    | 'resource_not_found'
    | 'pre_registration_ended'
    | 'idempotency_key_in_use'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/me/calendar/events':
    | 'invalid_date'
    | 'invalid_window'
    | 'window_too_wide'
    | 'validation_failed'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'workspace_not_permitted'
    | 'calendar_not_permitted'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'GET /v1/admin/tickets':
    | 'workspace_required'
    | 'invalid_sort'
    | 'invalid_limit'
    | 'invalid_cursor'
    | 'validation_failed'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'admin_access_required'
    | 'workspace_not_permitted'
    | 'forbidden'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
  'POST /v1/admin/tickets/{ticket}/ai':
    | 'missing_idempotency_key'
    | 'workspace_required'
    | 'invalid_token'
    | 'revoked_token'
    | 'expired_token'
    | 'insufficient_scope'
    | 'admin_access_required'
    | 'workspace_not_permitted'
    | 'forbidden'
    | 'resource_not_found'
    | 'ticket_ended'
    | 'assistant_unavailable'
    | 'newer_messages'
    | 'idempotency_key_in_use'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation_failed'
    | 'rate_limited'
    | 'internal_error'
    | 'unavailable';
}
