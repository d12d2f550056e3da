// Written by `pnpm --filter @firmdesk/client generate` from apps/gateway/openapi.json.
export interface paths {
  '/v1/me/mail/drafts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Save a draft
     * @description Without `draft_id`, creates a draft; with it, replaces that draft completely. To avoid overwriting a save that came between, send the `ETag` of the last response as `If-Match`. Recipients may be internationalised (`jürgen@exämple.de`, RFC 6531). They are stored as given, never converted to or from Punycode.
     *
     *     Scope: `mail:write`.
     */
    post: operations['mail_saveDraft'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me/mail/messages/{id}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a message from trash, spam or archive
     * @description Scope: `mail:write`.
     */
    post: operations['mail_restore'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ping': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check that a key is valid and see its scopes
     * @description Needs a token, but no scope.
     */
    get: operations['ping'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in with email and password
     * @description Needs no token.
     */
    post: operations['sessions_signIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the signed-in devices of the account
     * @description Needs a token, but no scope.
     */
    get: operations['sessions_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Sign out one of the account’s devices
     * @description Needs a token, but no scope.
     */
    delete: operations['sessions_end'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Sign out
     * @description Needs a token, but no scope.
     */
    delete: operations['sessions_signOut'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me/password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Change the password and sign out all other devices
     * @description Needs a token, but no scope.
     */
    put: operations['sessions_changePassword'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me/devices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a push token
     * @description Each session has one registration per app: a repeated call replaces it (200). Sessions of different accounts, or of one account in different firms, may register the same push token, and each gets its own pushes. Another session of the same account and firm takes over the push token. Sign out before the app switches accounts.
     *
     *     Needs a token, but no scope.
     */
    post: operations['devices_register'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me/notifications/read': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark in-app notifications read
     * @description Send `ids`, or `all`: true. Ids of other accounts’ notifications and of notifications that are already read are ignored.
     *
     *     Scope: `notifications:write`.
     */
    post: operations['notifications_markRead'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/affiliates/pre-registrations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List affiliate pre-registrations, newest first
     * @description Scope: `affiliates:write`.
     */
    get: operations['affiliates_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me/calendar/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the events of a window, with recurring events expanded
     * @description One entry per occurrence that overlaps the window: at most 92 days, by default 31 from the start of today.
     *
     *     Scope: `calendar:read`.
     */
    get: operations['calendar_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/admin/tickets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the firm’s support tickets
     * @description Scope: `admin:read`. Permissions: `view_tickets`.
     */
    get: operations['tickets_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/admin/tickets/{ticket}/ai': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask the AI assistant to write the next reply
     * @description Stores the instruction as an internal note and returns that. The reply is then streamed to the ticket’s viewers, and stored. If the assistant cannot write it, a note with the event `ai_command_failed` states the reason, and the trader sees nothing. Each call counts against the firm’s monthly allowance.
     *
     *     Scope: `admin:write`. Permissions: `view_tickets`, `manage_tickets`.
     */
    post: operations['tickets_askAssistant'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    MailSaveDraftRequest: {
      /**
       * Format: int32
       * @description The mailbox of the sender
       */
      address_id: number;
      /** @default [] */
      to?: string[];
      /** @default [] */
      cc?: string[];
      /** @default [] */
      bcc?: string[];
      /** @default  */
      subject?: string;
      /**
       * @description HTML
       * @default
       */
      body?: string;
      /** @description The draft to replace; without it, a draft is created. An integer is accepted too. */
      draft_id?: string | number;
    };
    MailSaveDraftResponse: {
      data: components['schemas']['MailMessage'];
      meta: components['schemas']['Meta'];
    };
    MailMessage: {
      /** @description For a draft, the value of `draft_id` */
      id: string;
      /** @enum {string} */
      object: 'mail_message';
      /** Format: int32 */
      thread_id: number;
      /** Format: int32 */
      address_id: number;
      /** @description One of `inbox`, `drafts`, `sent`, `archive`, `spam`, `trash`; others may be added. */
      folder: 'inbox' | 'drafts' | 'sent' | 'archive' | 'spam' | 'trash' | (string & Record<never, never>);
      subject: string;
      to_recipients: components['schemas']['MailRecipient'][];
      cc_recipients: components['schemas']['MailRecipient'][];
      /**
       * Format: date-time
       * @description ISO 8601, UTC, microseconds
       * @example 2026-11-21T09:30:00.000000Z
       */
      message_at: string;
    };
    MailRecipient: {
      email: string;
      name: string | null;
    };
    Meta: {
      /** @description The id of the call, as in the header `X-Request-Id` */
      request_id: string;
    };
    /** @description An error. */
    ErrorResponse: {
      error: components['schemas']['ErrorDetail'];
      meta: components['schemas']['Meta'];
    };
    ErrorDetail: {
      /** @description A stable code to branch on. New codes may be added. */
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
        | 'insufficient_scope'
        | 'admin_access_required'
        | 'workspace_not_permitted'
        | 'forbidden'
        | 'calendar_not_permitted'
        | 'resource_not_found'
        | 'method_not_allowed'
        | 'ticket_ended'
        | 'calendar_limit_reached'
        | 'event_limit_reached'
        | 'assistant_unavailable'
        | 'pre_registration_ended'
        | 'idempotency_key_in_use'
        | 'precondition_failed'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'validation_failed'
        | 'rate_limited'
        | 'internal_error'
        | 'unavailable'
        | (string & Record<never, never>);
      /** @description A message for developers. Do not parse it. */
      message: string;
      /** @description The invalid fields, with `validation_failed`. */
      fields?: components['schemas']['FieldError'][];
    };
    FieldError: {
      /** @description The path of the field, such as `to[2]`; empty for the body itself. */
      path: string;
      /** @description A message for developers. */
      message: string;
      /** @description The allowed values, if the caller must choose one of a few: at sign-in, the workspaces of the account. */
      choices?: components['schemas']['FieldChoice'][];
    };
    FieldChoice: {
      value: string;
      /** @description The name to show to users. */
      name: string;
    };
    MailRestoreRequest: {
      /**
       * @description Restore the complete conversation
       * @default false
       */
      conversation?: boolean;
    };
    MailRestoreResponse: {
      data: components['schemas']['MailListRow'];
      meta: components['schemas']['Meta'];
    };
    MailListRow: {
      /** @description For a draft, the value of `draft_id` */
      id: string;
      /** @enum {string} */
      object: 'mail_message';
      /** Format: int32 */
      thread_id: number;
      /** Format: int32 */
      address_id: number;
      /** @description One of `inbox`, `drafts`, `sent`, `archive`, `spam`, `trash`; others may be added. */
      folder: 'inbox' | 'drafts' | 'sent' | 'archive' | 'spam' | 'trash' | (string & Record<never, never>);
      subject: string;
      to_recipients: components['schemas']['MailRecipient'][];
      cc_recipients: components['schemas']['MailRecipient'][];
      /**
       * Format: date-time
       * @description ISO 8601, UTC, microseconds
       * @example 2026-11-21T09:30:00.000000Z
       */
      message_at: string;
      from: components['schemas']['MailRecipient'];
      /** @description The beginning of the text, at most 200 characters */
      snippet: string;
      is_read: boolean;
      /** @description The folder to which a restore returns the message. Null: the inbox, or the archive for a message in the archive */
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
    PingResponse: {
      data: components['schemas']['Ping'];
      meta: components['schemas']['Meta'];
    };
    Ping: {
      ok: boolean;
      /** @description One of `live`, `test`; others may be added. */
      environment: 'live' | 'test' | (string & Record<never, never>);
      /** @description The key’s id; safe to log */
      api_key: string;
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
    Tenant: {
      name: string;
      slug: string;
    };
    SessionsSignInRequest: {
      /** Format: idn-email */
      email: string;
      password: string;
      /** @description The firm to act in; required for an account of several */
      workspace?: string;
      /** @description The name of the device in the list of sessions */
      name?: string;
      /** @description The `device` of an earlier sign-in: wrong passwords from other devices do not delay a known device */
      device?: string;
      /** @default false */
      cookie?: boolean;
    };
    SessionsSignInResponse: {
      data: components['schemas']['SignedIn'];
      meta: components['schemas']['Meta'];
    };
    SignedIn: {
      /** @enum {string} */
      object: 'session';
      id: string;
      name: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string | null;
      current: boolean;
      /** @description The bearer token; null if it is in a cookie */
      token: string | null;
      /** @description Store it, also after signing out, and send it with the next sign-in. It is not a credential. */
      device: string;
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
    AccountUser: {
      id: string;
      name: string;
      email: string;
      /** @description IANA zone */
      timezone: string;
      /** @description BCP 47 tag */
      language: string;
    };
    SessionsListResponse: {
      data: components['schemas']['Session'][];
      meta: components['schemas']['Meta'];
    };
    Session: {
      /** @enum {string} */
      object: 'session';
      id: string;
      name: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      last_used_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string | null;
      current: boolean;
    };
    SessionsEndResponse: {
      data: components['schemas']['SessionEnded'];
      meta: components['schemas']['Meta'];
    };
    SessionEnded: {
      /** @enum {string} */
      object: 'session_ended';
      id: string;
    };
    SessionsSignOutResponse: {
      data: components['schemas']['SessionEnded'];
      meta: components['schemas']['Meta'];
    };
    SessionsChangePasswordRequest: {
      current_password: string;
      new_password: string;
    };
    SessionsChangePasswordResponse: {
      data: components['schemas']['PasswordChanged'];
      meta: components['schemas']['Meta'];
    };
    PasswordChanged: {
      /** @enum {string} */
      object: 'password_changed';
      /** Format: int32 */
      signed_out: number;
    };
    DevicesRegisterRequest: {
      app: components['schemas']['DevicesRegisterRequestApp'];
      environment: components['schemas']['DevicesRegisterRequestEnvironment'];
      token: string;
      locale?: string;
      /** @description Calendar reminders state times in it */
      timezone?: string;
      app_version?: string;
      os_version?: string;
    };
    /** @enum {string} */
    DevicesRegisterRequestApp: 'mail' | 'calendar' | 'admin';
    /** @enum {string} */
    DevicesRegisterRequestEnvironment: 'sandbox' | 'production';
    DevicesRegisterResponse: {
      data: components['schemas']['PushDevice'];
      meta: components['schemas']['Meta'];
    };
    PushDevice: {
      /** @enum {string} */
      object: 'push_device';
      /** @description One of `mail`, `calendar`, `admin`; others may be added. */
      app: 'mail' | 'calendar' | 'admin' | (string & Record<never, never>);
      /** @description One of `sandbox`, `production`; others may be added. */
      environment: 'sandbox' | 'production' | (string & Record<never, never>);
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      last_seen_at: string;
    };
    NotificationsMarkReadRequest: {
      ids?: string[];
      /** @description Marks every unread notification; overrides `ids` */
      all?: boolean;
    };
    NotificationsMarkReadResponse: {
      data: components['schemas']['NotificationsRead'];
      meta: components['schemas']['Meta'];
    };
    NotificationsRead: {
      /** @enum {string} */
      object: 'notifications_read';
      /** Format: int32 */
      marked: number;
      /** Format: int32 */
      unread: number;
    };
    /** @enum {string} */
    AffiliatesListStatus: 'pending' | 'claimed' | 'revoked' | 'expired';
    AffiliatesListResponse: {
      data: components['schemas']['PreRegistration'][];
      meta: components['schemas']['PageMeta'];
    };
    PreRegistration: {
      id: string;
      /** @enum {string} */
      object: 'affiliate_pre_registration';
      email: string;
      referral_code: string;
      referral_url: string;
      /** @description One of `pending`, `claimed`, `revoked`, `expired`; others may be added. */
      status: 'pending' | 'claimed' | 'revoked' | 'expired' | (string & Record<never, never>);
      source: string;
      metadata: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      expires_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      claimed_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      last_sent_at: string;
    };
    PageMeta: {
      /** @description The id of the call, as in the header `X-Request-Id` */
      request_id: string;
      has_more: boolean;
      next_cursor: string | null;
    };
    CalendarListResponse: {
      data: components['schemas']['CalendarEvent'][];
      meta: components['schemas']['CalendarListResponseMeta'];
    };
    CalendarEvent: {
      /** @enum {string} */
      object: 'calendar_event';
      /** Format: int32 */
      id: number;
      /**
       * Format: date-time
       * @description The recurrence id: the start that the rule gives this occurrence; null for an event that does not repeat
       * @example 2026-11-21T09:30:00.000Z
       */
      occurrence_start: string | null;
      /** Format: int32 */
      calendar_id: number;
      title: string;
      description: string | null;
      location: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      starts_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      ends_at: string;
      all_day: boolean;
      /** @description IANA zone */
      timezone: string;
      /** @description One of `confirmed`, `pending`; others may be added. */
      status: 'confirmed' | 'pending' | (string & Record<never, never>);
      /** @description One of `manual`, `mail`, `import`; others may be added. */
      source: 'manual' | 'mail' | 'import' | (string & Record<never, never>);
      is_recurring: boolean;
      /** @description RFC 5545 RRULE value */
      recurrence_rule: string | null;
      conference: components['schemas']['CalendarEventConference'];
      organizer: components['schemas']['CalendarEventOrganizer'];
      attendees: components['schemas']['CalendarEventAttendee'][];
      /** @description The caller’s own */
      reminders: components['schemas']['CalendarEventReminder'][];
      tags: components['schemas']['CalendarEventTag'][];
      can_write: boolean;
    };
    CalendarEventConference: {
      /**
       * @example zoom
       * @example google_meet
       * @example teams
       * @example other
       */
      provider: string | null;
      url: string | null;
      meeting_id: string | null;
      passcode: string | null;
    };
    CalendarEventOrganizer: {
      name: string | null;
      email: string | null;
    };
    CalendarEventAttendee: {
      name: string | null;
      email: string;
      /**
       * @example needs_action
       * @example accepted
       * @example declined
       * @example tentative
       */
      response: string;
      is_organizer: boolean;
      is_optional: boolean;
    };
    CalendarEventReminder: {
      /** Format: int32 */
      minutes_before: number;
      /**
       * @example push
       * @example email
       */
      channel: string;
    };
    CalendarEventTag: {
      /** Format: int32 */
      id: number;
      name: string;
      color: string;
    };
    CalendarListResponseMeta: {
      /** @description The id of the call, as in the header `X-Request-Id` */
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
      /** @description There may be more: the window has more than 10000 occurrences or 16 MiB of text, or an event took too much work to expand and only its first occurrence is included */
      truncated?: boolean;
    };
    /**
     * @default all
     * @enum {string}
     */
    TicketsListStatus: 'waiting' | 'open' | 'ai' | 'trader' | 'ended' | 'all';
    /**
     * @default all
     * @enum {string}
     */
    TicketsListPriority: 'urgent' | 'high' | 'normal' | 'low' | 'all';
    /**
     * @default queue
     * @enum {string}
     */
    TicketSort: 'queue' | '-last_message_at' | '-created_at' | 'created_at' | '-priority';
    TicketsListResponse: {
      data: components['schemas']['Ticket'][];
      meta: components['schemas']['PageMeta'];
    };
    Ticket: {
      /** @enum {string} */
      object: 'ticket';
      id: string;
      /**
       * @description # and the last six characters of the id
       * @example #4X7Q2M
       */
      number: string;
      subject: string;
      /** @description open: the assistant answers; awaiting_admin: waits for the team; resolved and closed are final. One of `open`, `awaiting_admin`, `awaiting_trader`, `resolved`, `closed`; others may be added. */
      status:
        | 'open'
        | 'awaiting_admin'
        | 'awaiting_trader'
        | 'resolved'
        | 'closed'
        | (string & Record<never, never>);
      /** @description One of `urgent`, `high`, `normal`, `low`; others may be added. */
      priority: 'urgent' | 'high' | 'normal' | 'low' | (string & Record<never, never>);
      ai_enabled: boolean;
      ai_blocked: boolean;
      /**
       * Format: int32
       * @description Messages of the trader and the assistant that the team has not read
       */
      unread: number;
      /** @description One of `trader`, `admin`, `ai`, `system`; others may be added. */
      last_from: 'trader' | 'admin' | 'ai' | 'system' | (string & Record<never, never>) | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      last_message_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      closed_at: string | null;
      trader: components['schemas']['TicketTrader'];
      assignee: components['schemas']['NullableAgent'];
      team: components['schemas']['NullableTeam'];
      tags: components['schemas']['TicketTag'][];
      /** @description Path inside the web application */
      action_url: string;
    };
    TicketTrader: {
      id: string;
      name: string;
      email: string;
      avatar_url: string | null;
      deleted: boolean;
    };
    NullableAgent: {
      id: string;
      name: string;
      avatar_url: string | null;
    } | null;
    NullableTeam: {
      /** Format: int32 */
      id: number;
      name: string;
    } | null;
    TicketTag: {
      /** Format: int32 */
      id: number;
      name: string;
      color: string;
    };
    TicketsAskAssistantRequest: {
      instruction: string;
    };
    TicketsAskAssistantResponse: {
      data: components['schemas']['TicketMessage'];
      meta: components['schemas']['Meta'];
    };
    TicketMessage: {
      /** @enum {string} */
      object: 'ticket_message';
      id: string;
      ticket_id: string;
      /** @description One of `trader`, `admin`, `ai`, `system`; others may be added. */
      from: 'trader' | 'admin' | 'ai' | 'system' | (string & Record<never, never>);
      /** @description Display name */
      author: string;
      body: string;
      image_url: string | null;
      image_name: string | null;
      /** @description A note that only the team sees */
      internal: boolean;
      streaming: boolean;
      via_email: boolean;
      event: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      read_at: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC
       * @example 2026-11-21T09:30:00.000Z
       */
      created_at: string;
    };
  };
  responses: never;
  parameters: {
    /** @description A UUID. For 72 hours, a repeated key replays the first response instead of executing the call again. */
    'Idempotency-Key': string;
    /** @description The `ETag` of the version to replace. If the current version is another one, the call fails with 412. */
    'If-Match': string;
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
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MailSaveDraftResponse'];
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
        /** @example msg_01kar9x4z8c5m7p2t6v3000013 */
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
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MailRestoreResponse'];
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
        headers: {
          [name: string]: unknown;
        };
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
    requestBody: {
      content: {
        'application/json': components['schemas']['SessionsSignInRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SessionsSignInResponse'];
        };
      };
    };
  };
  sessions_list: {
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
        headers: {
          [name: string]: unknown;
        };
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
        /** @example key_01kar9x4z8c5m7p2t6v3000000 */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
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
        headers: {
          [name: string]: unknown;
        };
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
        headers: {
          [name: string]: unknown;
        };
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
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DevicesRegisterResponse'];
        };
      };
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DevicesRegisterResponse'];
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
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NotificationsMarkReadResponse'];
        };
      };
    };
  };
  affiliates_list: {
    parameters: {
      query?: {
        /** @example pending */
        status?: components['schemas']['AffiliatesListStatus'];
        /** @description Exact match, ignoring case */
        email?: string;
        /**
         * @description Rows of a page; more than 100 counts as 100
         * @example 2
         */
        limit?: number;
        starting_after?: string;
      };
      header?: {
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
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AffiliatesListResponse'];
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
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
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
        team?: string;
        priority?: components['schemas']['TicketsListPriority'];
        tag?: string;
        /** @description The id of a ticket or trader; otherwise words, each of which must be in the subject, the trader’s name or email, or any message. A word that begins with # is matched against the number. */
        q?: string;
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
        headers: {
          [name: string]: unknown;
        };
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
        /** @example tkt_01kar9x4z8c5m7p2t6v3000018 */
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
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TicketsAskAssistantResponse'];
        };
      };
    };
  };
}
