// Written by `pnpm --filter @firmdesk/client generate` from the declared procedures.
import type * as contract from '@firmdesk/contract';
import type { z } from 'zod';
import type { Mutation, Query, Subscription } from '../procedure.ts';

/** All procedures. */
export interface Procedures {
  mail: {
    /**
     * Save a draft (`POST /v1/me/mail/drafts`).
     * Requires scope `mail:write`.
     * Error codes: `resource_not_found`, `not_a_draft`.
     */
    saveDraft: Mutation<z.input<typeof contract.SaveDraftInput>, z.output<typeof contract.MailMessage>>;
    /**
     * Send a message (`POST /v1/me/mail/messages`).
     * Requires scope `mail:write`.
     * Error codes: `resource_not_found`, `not_a_draft`.
     */
    send: Mutation<z.input<typeof contract.SendMailInput>, z.output<typeof contract.SentMessage>>;
    /**
     * Take a sent message back (`DELETE /v1/me/mail/messages/{id}/sending`).
     * Requires scope `mail:write`.
     * Error codes: `resource_not_found`, `already_sent`.
     */
    cancelSending: Mutation<{ id: string }, z.output<typeof contract.MailListRow>>;
    /**
     * Restore a message from trash, spam or archive (`POST /v1/me/mail/messages/{id}/restore`).
     * Requires scope `mail:write`.
     * Error codes: `resource_not_found`.
     */
    restore: Mutation<z.input<typeof contract.RestoreMessageInput>, z.output<typeof contract.MailListRow>>;
    /**
     * List the mailboxes that the caller may read (`GET /v1/me/mail/mailboxes`).
     * Requires scope `mail:read`.
     */
    mailboxes: Query<Record<string, never> | undefined, z.output<typeof contract.Mailbox>[]>;
    /**
     * List the newest messages from an address.
     * Requires scope `mail:read`.
     */
    from: Query<z.input<typeof contract.ListMailFromInput>, z.output<typeof contract.MailListRow>[]>;
    /**
     * List messages, newest first (`GET /v1/me/mail/messages`).
     * Requires scope `mail:read`.
     * Error codes: `resource_not_found`, `invalid_cursor`, `invalid_limit`.
     */
    list: Query<z.input<typeof contract.ListMessagesInput>, z.output<typeof contract.MailPage>>;
    /**
     * Open a message (`GET /v1/me/mail/messages/{id}`).
     * Requires scope `mail:read`.
     * Error codes: `resource_not_found`.
     */
    get: Query<{ id: string }, z.output<typeof contract.OpenMailMessage>>;
    /**
     * Move messages to a folder (`POST /v1/me/mail/messages/move`).
     * Requires scope `mail:write`.
     */
    move: Mutation<z.input<typeof contract.MoveMessagesInput>, z.output<typeof contract.MessagesChanged>>;
    /**
     * Mark messages read or unread (`POST /v1/me/mail/messages/mark`).
     * Requires scope `mail:write`.
     */
    mark: Mutation<z.input<typeof contract.MarkMessagesInput>, z.output<typeof contract.MessagesChanged>>;
    /**
     * Delete messages (`POST /v1/me/mail/messages/delete`).
     * Requires scope `mail:write`.
     */
    delete: Mutation<z.input<typeof contract.DeleteMessagesInput>, z.output<typeof contract.MessagesChanged>>;
    /**
     * Announce a file to attach to a message (`POST /v1/me/mail/attachments`).
     * Requires scope `mail:write`.
     * Error codes: `resource_not_found`, `attachment_limit_reached`.
     */
    createAttachment: Mutation<
      z.input<typeof contract.CreateMailAttachmentInput>,
      z.output<typeof contract.MailAttachmentCreated>
    >;
    /**
     * Delete a draft permanently.
     * Requires scope `mail:write`.
     * Error codes: `resource_not_found`, `not_a_draft`.
     */
    deleteDraft: Mutation<{ id: string }, z.output<typeof contract.DraftDeleted>>;
    threads: {
      /**
       * List conversations, newest first.
       * Requires scope `mail:read`.
       * Error codes: `resource_not_found`, `invalid_cursor`, `invalid_limit`.
       */
      list: Query<z.input<typeof contract.ListThreadsInput>, z.output<typeof contract.MailThreadPage>>;
      /**
       * Open the conversation of a message.
       * Requires scope `mail:read`.
       * Error codes: `resource_not_found`.
       */
      get: Query<{ id: string }, z.output<typeof contract.OpenMailThread>>;
      /**
       * Move conversations to a folder.
       * Requires scope `mail:write`.
       */
      move: Mutation<z.input<typeof contract.MoveThreadsInput>, z.output<typeof contract.MailThreadsMoved>>;
      /**
       * Mark conversations: read or unread, with a star, with tags.
       * Requires scope `mail:write`.
       */
      mark: Mutation<z.input<typeof contract.MarkThreadsInput>, z.output<typeof contract.MailThreadsChanged>>;
      /**
       * Snooze conversations.
       * Requires scope `mail:write`.
       */
      snooze: Mutation<
        z.input<typeof contract.SnoozeThreadsInput>,
        z.output<typeof contract.MailThreadsChanged>
      >;
      /**
       * Restore messages from trash, spam or archive.
       * Requires scope `mail:write`.
       */
      restoreMessages: Mutation<
        z.input<typeof contract.RestoreMessagesInput>,
        z.output<typeof contract.MessagesChanged>
      >;
      /**
       * Delete the messages in the trash of a mailbox permanently.
       * Requires scope `mail:write`.
       * Error codes: `resource_not_found`.
       */
      emptyTrash: Mutation<z.input<typeof contract.EmptyTrashInput>, z.output<typeof contract.TrashEmptied>>;
      /**
       * Show colleagues that the caller has a conversation open, and follow who has, until the subscription ends.
       * Requires scope `mail:read`.
       * Error codes: `resource_not_found`.
       */
      attend: Subscription<
        z.input<typeof contract.AttendThreadInput>,
        z.output<typeof contract.ThreadPresenceEvent>
      >;
      /**
       * Open a ticket from a received message.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
       * Error codes: `resource_not_found`.
       */
      openTicket: Mutation<{ id: string }, z.output<typeof contract.MailTicketOpened>>;
      /**
       * List the tags of the firm.
       * Requires scope `mail:read`.
       */
      tags: Query<Record<string, never> | undefined, z.output<typeof contract.TicketTag>[]>;
      /**
       * List people to write to, at most 1000.
       * Requires scope `mail:read`.
       */
      correspondents: Query<Record<string, never> | undefined, z.output<typeof contract.MailRecipient>[]>;
    };
    rules: {
      /**
       * List the rules of a mailbox, in the order in which they run.
       * Requires scope `mail:read`.
       * Error codes: `resource_not_found`.
       */
      list: Query<z.input<typeof contract.ListRulesInput>, z.output<typeof contract.MailRules>>;
      /**
       * Add a rule to a mailbox, or replace one.
       * Requires scope `mail:write`.
       * Error codes: `resource_not_found`.
       */
      save: Mutation<z.input<typeof contract.SaveRuleInput>, z.output<typeof contract.MailRules>>;
      /**
       * Move a rule among those of its mailbox.
       * Requires scope `mail:write`.
       * Error codes: `resource_not_found`.
       */
      move: Mutation<z.input<typeof contract.MoveMailRuleInput>, z.output<typeof contract.MailRules>>;
      /**
       * Delete a rule of a mailbox.
       * Requires scope `mail:write`.
       * Error codes: `resource_not_found`.
       */
      delete: Mutation<z.input<typeof contract.DeleteRuleInput>, z.output<typeof contract.MailRules>>;
      /**
       * Return which of the newest 200 received messages of a mailbox a rule would match.
       * Requires scope `mail:read`.
       * Error codes: `resource_not_found`.
       */
      try: Query<z.input<typeof contract.TryRuleInput>, z.output<typeof contract.RuleTrial>>;
    };
    settings: {
      /**
       * Return the signature and the automatic answer of a mailbox.
       * Requires scope `mail:read`.
       * Error codes: `resource_not_found`.
       */
      get: Query<z.input<typeof contract.GetMailboxSettingsInput>, z.output<typeof contract.MailboxSettings>>;
      /**
       * Replace the signature and the automatic answer of a mailbox.
       * Requires scope `mail:write`.
       * Error codes: `resource_not_found`.
       */
      save: Mutation<
        z.input<typeof contract.SaveMailboxSettingsInput>,
        z.output<typeof contract.MailboxSettings>
      >;
    };
    /**
     * Follow changes of the mailboxes that the caller may read.
     * Requires scope `mail:read`.
     */
    live: Subscription<z.input<typeof contract.StreamMailInput>, z.output<typeof contract.MailStreamEvent>>;
    /**
     * Deliver a message to a mailbox.
     * Requires scope `platform:write`.
     * Error codes: `resource_not_found`.
     */
    deliver: Mutation<z.input<typeof contract.DeliverMailInput>, z.output<typeof contract.MailDelivery>>;
  };
  /**
   * Check that a key is valid and see its scopes (`GET /v1/ping`).
   */
  ping: Query<Record<string, never> | undefined, z.output<typeof contract.Ping>>;
  account: {
    /**
     * Get the caller’s account and its permissions in the workspace.
     * Error codes: `workspace_not_permitted`.
     */
    get: Query<Record<string, never> | undefined, z.output<typeof contract.Account>>;
    /**
     * Change the name, the language and the picture of the caller’s account.
     */
    setProfile: Mutation<
      z.input<typeof contract.SetAccountProfileInput>,
      z.output<typeof contract.AccountUser>
    >;
    /**
     * Set the time zone of the caller’s account.
     */
    setTimezone: Mutation<z.input<typeof contract.SetTimezoneInput>, z.output<typeof contract.AccountUser>>;
  };
  sessions: {
    /**
     * Sign in with email and password, and a code if the account has a second factor (`POST /v1/sessions`).
     * Error codes: `invalid_credentials`, `second_factor_required`, `invalid_code`, `challenge_expired`, `provider_required`, `workspace_not_permitted`.
     */
    signIn: Mutation<z.input<typeof contract.SignInInput>, z.output<typeof contract.SignedIn>>;
    /**
     * Get the options with which a browser signs in by a passkey.
     */
    startPasskey: Mutation<Record<string, never> | undefined, z.output<typeof contract.PasskeyOptions>>;
    /**
     * Sign in by a passkey.
     * Error codes: `invalid_credentials`, `challenge_expired`, `provider_required`, `workspace_not_permitted`.
     */
    signInWithPasskey: Mutation<
      z.input<typeof contract.SignInWithPasskeyInput>,
      z.output<typeof contract.SignedIn>
    >;
    /**
     * Get the page on which a person signs in by the provider of a firm.
     * Error codes: `resource_not_found`, `provider_failed`.
     */
    startProvider: Mutation<
      z.input<typeof contract.StartProviderInput>,
      z.output<typeof contract.ProviderStarted>
    >;
    /**
     * Sign in by what the provider of a firm has answered.
     * Error codes: `invalid_credentials`, `challenge_expired`, `provider_failed`, `resource_not_found`, `workspace_not_permitted`.
     */
    signInWithProvider: Mutation<
      z.input<typeof contract.SignInWithProviderInput>,
      z.output<typeof contract.SignedIn>
    >;
    /**
     * Prove again who holds the session, before a change of how the account signs in.
     * Error codes: `invalid_code`, `invalid_credentials`, `challenge_expired`.
     */
    confirm: Mutation<
      z.input<typeof contract.ConfirmSessionInput>,
      z.output<typeof contract.SessionConfirmed>
    >;
    /**
     * Request a mail with a link for a new password; the answer is the same for unknown accounts.
     */
    requestPasswordReset: Mutation<
      z.input<typeof contract.RequestPasswordResetInput>,
      z.output<typeof contract.PasswordResetRequested>
    >;
    /**
     * Set a new password by the link of a mail, and sign out all devices; passkeys stay unless they are removed too.
     * Error codes: `challenge_expired`.
     */
    resetPassword: Mutation<
      z.input<typeof contract.ResetPasswordInput>,
      z.output<typeof contract.PasswordReset>
    >;
    /**
     * Open a session of this browser in another firm of the account.
     * Error codes: `workspace_not_permitted`, `provider_required`.
     */
    open: Mutation<z.input<typeof contract.OpenSessionInput>, z.output<typeof contract.SessionOpened>>;
    /**
     * List this browser’s sessions, and the firms in which each may act.
     */
    ofBrowser: Query<Record<string, never> | undefined, z.output<typeof contract.BrowserSession>[]>;
    /**
     * List the signed-in devices of the account (`GET /v1/me/sessions`).
     */
    list: Query<Record<string, never> | undefined, z.output<typeof contract.Session>[]>;
    /**
     * Sign out one of the account’s devices (`DELETE /v1/me/sessions/{id}`).
     * Error codes: `resource_not_found`.
     */
    end: Mutation<{ id: string }, z.output<typeof contract.SessionEnded>>;
    /**
     * Sign out (`DELETE /v1/me/session`).
     */
    signOut: Mutation<Record<string, never> | undefined, z.output<typeof contract.SessionEnded>>;
    /**
     * Change the password and sign out all other devices (`PUT /v1/me/password`).
     * Error codes: `fresh_sign_in_required`.
     */
    changePassword: Mutation<
      z.input<typeof contract.ChangePasswordInput>,
      z.output<typeof contract.PasswordChanged>
    >;
  };
  signIn: {
    /**
     * Get how the caller’s account signs in.
     */
    get: Query<Record<string, never> | undefined, z.output<typeof contract.SignInSettings>>;
    /**
     * Create the secret of an authenticator app, which a code then confirms.
     * Error codes: `validation_failed`.
     */
    startSecondFactor: Mutation<
      Record<string, never> | undefined,
      z.output<typeof contract.SecondFactorStarted>
    >;
    /**
     * Sign in with a code of the authenticator app from now on.
     * Error codes: `invalid_code`.
     */
    enableSecondFactor: Mutation<
      z.input<typeof contract.EnableSecondFactorInput>,
      z.output<typeof contract.RecoveryCodes>
    >;
    /**
     * Replace the recovery codes.
     * Error codes: `resource_not_found`.
     */
    renewRecoveryCodes: Mutation<Record<string, never> | undefined, z.output<typeof contract.RecoveryCodes>>;
    /**
     * Sign in without a code from now on.
     */
    disableSecondFactor: Mutation<Record<string, never> | undefined, z.output<typeof contract.SignInChanged>>;
    /**
     * Get the options with which a browser creates a passkey.
     * Error codes: `validation_failed`.
     */
    startPasskey: Mutation<Record<string, never> | undefined, z.output<typeof contract.PasskeyOptions>>;
    /**
     * Add the passkey that a browser has created.
     * Error codes: `challenge_expired`.
     */
    addPasskey: Mutation<z.input<typeof contract.AddPasskeyInput>, z.output<typeof contract.SignInChanged>>;
    /**
     * Rename a passkey.
     * Error codes: `resource_not_found`.
     */
    renamePasskey: Mutation<
      z.input<typeof contract.RenamePasskeyInput>,
      z.output<typeof contract.SignInChanged>
    >;
    /**
     * Remove a passkey.
     * Error codes: `resource_not_found`.
     */
    removePasskey: Mutation<z.input<typeof contract.PasskeyRef>, z.output<typeof contract.SignInChanged>>;
  };
  singleSignOn: {
    /**
     * Get the single sign-on of the firm.
     * Requires scope `admin:read`, permissions `manage_settings`.
     */
    get: Query<Record<string, never> | undefined, z.output<typeof contract.SingleSignOn>>;
    /**
     * Set the OpenID provider of the firm.
     * Requires scope `admin:write`, permissions `manage_settings`.
     * Error codes: `provider_failed`.
     */
    saveProvider: Mutation<
      z.input<typeof contract.SaveProviderInput>,
      z.output<typeof contract.SingleSignOn>
    >;
    /**
     * Remove the OpenID provider of the firm.
     * Requires scope `admin:write`, permissions `manage_settings`.
     */
    removeProvider: Mutation<Record<string, never> | undefined, z.output<typeof contract.SingleSignOn>>;
    /**
     * Make the provider the only way into the firm, but for one administrator.
     * Requires scope `admin:write`, permissions `manage_settings`.
     * Error codes: `resource_not_found`.
     */
    require: Mutation<z.input<typeof contract.RequireProviderInput>, z.output<typeof contract.SingleSignOn>>;
    /**
     * Add a domain whose addresses sign in by the provider, once it is verified.
     * Requires scope `admin:write`, permissions `manage_settings`.
     */
    addDomain: Mutation<z.input<typeof contract.SignInDomainRef>, z.output<typeof contract.SingleSignOn>>;
    /**
     * Verify by its DNS record that the firm owns a domain.
     * Requires scope `admin:write`, permissions `manage_settings`.
     * Error codes: `resource_not_found`.
     */
    verifyDomain: Mutation<z.input<typeof contract.SignInDomainRef>, z.output<typeof contract.SingleSignOn>>;
    /**
     * Remove a domain.
     * Requires scope `admin:write`, permissions `manage_settings`.
     */
    removeDomain: Mutation<z.input<typeof contract.SignInDomainRef>, z.output<typeof contract.SingleSignOn>>;
  };
  devices: {
    /**
     * Register a push token (`POST /v1/me/devices`).
     */
    register: Mutation<z.input<typeof contract.RegisterDeviceInput>, z.output<typeof contract.PushDevice>>;
    /**
     * List the push registrations of the account’s sessions.
     */
    list: Query<{ session?: string | undefined }, z.output<typeof contract.DeviceRegistration>[]>;
    /**
     * List the pushes that a test token’s devices would have got (`GET /v1/me/devices/pushes`).
     */
    pushes: Query<Record<string, never> | undefined, z.output<typeof contract.RecordedPush>[]>;
    /**
     * Get the key with which a browser subscribes to pushes.
     */
    browserKey: Query<Record<string, never> | undefined, z.output<typeof contract.BrowserPushKey>>;
    /**
     * Register a browser for pushes to the calling session.
     * Error codes: `resource_not_found`.
     */
    registerBrowser: Mutation<
      z.input<typeof contract.RegisterBrowserInput>,
      z.output<typeof contract.DeviceRegistration>
    >;
    /**
     * End pushes to one of the account’s devices.
     * Error codes: `resource_not_found`.
     */
    remove: Mutation<z.input<typeof contract.RemoveDeviceInput>, z.output<typeof contract.DeviceRemoved>>;
    /**
     * Send a test push to the account’s own devices.
     * Error codes: `resource_not_found`.
     */
    pushTest: Mutation<z.input<typeof contract.PushTestInput>, z.output<typeof contract.PushTestQueued>>;
  };
  notifications: {
    /**
     * Mark in-app notifications read (`POST /v1/me/notifications/read`).
     * Requires scope `notifications:write`.
     * Error codes: `nothing_to_mark`.
     */
    markRead: Mutation<z.input<typeof contract.MarkReadInput>, z.output<typeof contract.NotificationsRead>>;
    /**
     * List notifications, newest first.
     * Requires scope `notifications:read`.
     * Error codes: `invalid_limit`, `invalid_cursor`.
     */
    list: Query<
      z.input<typeof contract.ListNotificationsInput>,
      { data: z.output<typeof contract.Notification>[]; meta: z.output<typeof contract.PageMeta> }
    >;
    /**
     * Count unread notifications.
     * Requires scope `notifications:read`.
     */
    unread: Query<Record<string, never> | undefined, z.output<typeof contract.UnreadCount>>;
    /**
     * List of what the account is notified, and how.
     * Requires scope `notifications:read`.
     */
    settings: Query<Record<string, never> | undefined, z.output<typeof contract.NotificationSettings>>;
    /**
     * Turn a channel on or off for a kind of notification.
     * Requires scope `notifications:write`.
     */
    changeSetting: Mutation<
      z.input<typeof contract.ChangeNotificationSettingInput>,
      z.output<typeof contract.NotificationSettings>
    >;
    /**
     * List the muted kinds of notification.
     * Requires scope `notifications:read`.
     */
    mutes: Query<Record<string, never> | undefined, z.output<typeof contract.NotificationMutes>>;
    /**
     * Mute or unmute pushes of a kind of notification.
     * Requires scope `notifications:write`.
     */
    mute: Mutation<z.input<typeof contract.MuteInput>, z.output<typeof contract.NotificationMutes>>;
    /**
     * Follow new notifications and the unread count.
     * Requires scope `notifications:read`.
     */
    live: Subscription<
      z.input<typeof contract.StreamNotificationsInput>,
      z.output<typeof contract.NotificationStreamEvent>
    >;
    /**
     * Raise a notification in a workspace.
     * Requires scope `platform:write`.
     * Error codes: `workspace_not_permitted`.
     */
    notify: Mutation<z.input<typeof contract.NotifyInput>, z.output<typeof contract.NotificationsRaised>>;
  };
  affiliates: {
    /**
     * List affiliate pre-registrations, newest first (`GET /v1/affiliates/pre-registrations`).
     * Requires scope `affiliates:write`.
     * Error codes: `invalid_status`, `invalid_limit`, `invalid_cursor`.
     */
    list: Query<
      z.input<typeof contract.ListPreRegistrationsInput>,
      { data: z.output<typeof contract.PreRegistration>[]; meta: z.output<typeof contract.PageMeta> }
    >;
    /**
     * Send the mail about a pre-registration again (`POST /v1/affiliates/pre-registrations/{id}/resend`).
     * Requires scope `affiliates:write`.
     * Error codes: `resource_not_found`, `pre_registration_ended`, `rate_limited`.
     */
    resend: Mutation<z.input<typeof contract.PreRegistrationRef>, z.output<typeof contract.PreRegistration>>;
    platform: {
      /**
       * Reserve a referral code.
       * Requires scope `platform:write`.
       */
      preRegister: Mutation<
        z.input<typeof contract.PreRegisterInput>,
        z.output<typeof contract.PreRegistration>
      >;
      /**
       * Claim the reserved code of a pre-registration.
       * Requires scope `platform:write`.
       * Error codes: `resource_not_found`, `pre_registration_ended`.
       */
      claim: Mutation<z.input<typeof contract.PreRegistrationRef>, z.output<typeof contract.PreRegistration>>;
      /**
       * Revoke an affiliate pre-registration.
       * Requires scope `platform:write`.
       * Error codes: `resource_not_found`, `pre_registration_ended`.
       */
      revoke: Mutation<
        z.input<typeof contract.PreRegistrationRef>,
        z.output<typeof contract.PreRegistration>
      >;
    };
    admin: {
      /**
       * List affiliate pre-registrations in the console, newest first.
       * Requires scope `admin:read`, permissions `view_affiliates`.
       * Error codes: `invalid_status`, `invalid_limit`, `invalid_cursor`.
       */
      list: Query<
        z.input<typeof contract.FindPreRegistrationsInput>,
        { data: z.output<typeof contract.PreRegistration>[]; meta: z.output<typeof contract.PageMeta> }
      >;
      /**
       * Reserve a referral code.
       * Requires scope `admin:write`, permissions `view_affiliates`, `manage_affiliates`.
       */
      preRegister: Mutation<
        z.input<typeof contract.PreRegisterInput>,
        z.output<typeof contract.PreRegistration>
      >;
      /**
       * Revoke an affiliate pre-registration.
       * Requires scope `admin:write`, permissions `view_affiliates`, `manage_affiliates`.
       * Error codes: `resource_not_found`, `pre_registration_ended`.
       */
      revoke: Mutation<
        z.input<typeof contract.PreRegistrationRef>,
        z.output<typeof contract.PreRegistration>
      >;
      /**
       * Send the mail about a pre-registration again.
       * Requires scope `admin:write`, permissions `view_affiliates`, `manage_affiliates`.
       * Error codes: `resource_not_found`, `pre_registration_ended`, `rate_limited`.
       */
      resend: Mutation<
        z.input<typeof contract.PreRegistrationRef>,
        z.output<typeof contract.PreRegistration>
      >;
    };
  };
  attachments: {
    /**
     * Announce a file of a ticket, whose content is then uploaded.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `attachment_limit_reached`.
     */
    create: Mutation<
      z.input<typeof contract.CreateAttachmentInput>,
      z.output<typeof contract.AttachmentCreated>
    >;
    /**
     * Remove an own file that no message contains.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    remove: Mutation<z.input<typeof contract.AttachmentRef>, z.output<typeof contract.AttachmentRemoved>>;
  };
  calendar: {
    /**
     * List the events of a window, with recurring events expanded (`GET /v1/me/calendar/events`).
     * Requires scope `calendar:read`.
     * Error codes: `invalid_window`, `window_too_wide`, `calendar_not_permitted`, `invalid_date`.
     */
    list: Query<z.input<typeof contract.ListEventsInput>, z.output<typeof contract.EventWindow>>;
    /**
     * List the calendars that the caller can access, with the access level.
     * Requires scope `calendar:read`.
     */
    calendars: Query<Record<string, never> | undefined, z.output<typeof contract.Calendar>[]>;
    /**
     * Create a calendar.
     * Requires scope `calendar:write`.
     * Error codes: `calendar_not_permitted`, `calendar_limit_reached`.
     */
    createCalendar: Mutation<
      z.input<typeof contract.CreateCalendarInput>,
      z.output<typeof contract.Calendar>
    >;
    /**
     * Get with whom a calendar of the caller is shared, and how many events it has.
     * Requires scope `calendar:read`.
     * Error codes: `resource_not_found`, `forbidden`.
     */
    calendarDetails: Query<z.input<typeof contract.CalendarRef>, z.output<typeof contract.CalendarDetails>>;
    /**
     * Change the name, the colour or the visibility of a calendar of the caller.
     * Requires scope `calendar:write`.
     * Error codes: `resource_not_found`, `forbidden`.
     */
    updateCalendar: Mutation<
      z.input<typeof contract.UpdateCalendarInput>,
      z.output<typeof contract.Calendar>
    >;
    /**
     * Delete a calendar of the caller, with its events or after moving them.
     * Requires scope `calendar:write`.
     * Error codes: `resource_not_found`, `forbidden`, `event_limit_reached`.
     */
    deleteCalendar: Mutation<
      z.input<typeof contract.DeleteCalendarInput>,
      z.output<typeof contract.CalendarDeleted>
    >;
    /**
     * Follow changes of the calendars that the caller can access.
     * Requires scope `calendar:read`.
     */
    live: Subscription<
      z.input<typeof contract.StreamCalendarsInput>,
      z.output<typeof contract.CalendarStreamEvent>
    >;
    /**
     * Find events by words.
     * Requires scope `calendar:read`.
     */
    search: Query<z.input<typeof contract.SearchEventsInput>, z.output<typeof contract.FoundEvents>>;
    /**
     * Create an event.
     * Requires scope `calendar:write`.
     * Error codes: `resource_not_found`, `forbidden`, `event_limit_reached`.
     */
    create: Mutation<z.input<typeof contract.CreateEventInput>, z.output<typeof contract.EventSaved>>;
    /**
     * Change one occurrence of an event, this and the following ones, or all.
     * Requires scope `calendar:write`.
     * Error codes: `resource_not_found`, `forbidden`, `event_limit_reached`.
     */
    change: Mutation<z.input<typeof contract.ChangeEventInput>, z.output<typeof contract.EventSaved>>;
    /**
     * Delete one occurrence of an event, this and the following ones, or all.
     * Requires scope `calendar:write`.
     * Error codes: `resource_not_found`, `forbidden`.
     */
    delete: Mutation<z.input<typeof contract.DeleteEventInput>, z.output<typeof contract.EventDeleted>>;
    /**
     * Answer an invitation.
     * Requires scope `calendar:write`.
     * Error codes: `resource_not_found`, `forbidden`.
     */
    answer: Mutation<
      z.input<typeof contract.AnswerInvitationInput>,
      z.output<typeof contract.InvitationAnswered>
    >;
    /**
     * Find colleagues by a part of their name or address.
     * Requires scope `calendar:read`.
     */
    people: Query<z.input<typeof contract.FindPeopleInput>, z.output<typeof contract.CalendarPerson>[]>;
    /**
     * Get when colleagues are busy.
     * Requires scope `calendar:read`.
     * Error codes: `resource_not_found`, `invalid_window`, `window_too_wide`.
     */
    busyTimes: Query<z.input<typeof contract.BusyTimesInput>, z.output<typeof contract.BusyTimes>>;
    /**
     * Propose the next times at which colleagues are free, in business hours.
     * Requires scope `calendar:read`.
     * Error codes: `resource_not_found`.
     */
    proposeTimes: Query<z.input<typeof contract.ProposeTimesInput>, z.output<typeof contract.ProposedTimes>>;
    /**
     * Get an event as an iCalendar document.
     * Requires scope `calendar:read`.
     * Error codes: `resource_not_found`, `forbidden`.
     */
    ics: Query<z.input<typeof contract.EventFileInput>, z.output<typeof contract.EventFile>>;
    /**
     * Share a calendar, or end a share.
     * Requires scope `calendar:write`.
     * Error codes: `resource_not_found`, `forbidden`.
     */
    share: Mutation<z.input<typeof contract.ShareCalendarInput>, z.output<typeof contract.CalendarShared>>;
    /**
     * Replace the caller’s own reminders of an event.
     * Requires scope `calendar:write`.
     * Error codes: `resource_not_found`, `forbidden`.
     */
    remind: Mutation<z.input<typeof contract.SetRemindersInput>, z.output<typeof contract.RemindersSet>>;
  };
  traders: {
    /**
     * Set what the platform says about a trader, and how the console shows it.
     * Requires scope `platform:write`.
     * Error codes: `resource_not_found`.
     */
    setProfile: Mutation<z.input<typeof contract.SetProfileInput>, z.output<typeof contract.TraderProfile>>;
    /**
     * Get what the platform says about a trader.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    context: Query<z.input<typeof contract.TraderRef>, z.output<typeof contract.TraderContext>>;
    /**
     * Find people of the firm by any part of their name or address.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `unavailable`, `rate_limited`.
     */
    find: Query<z.input<typeof contract.FindTradersInput>, z.output<typeof contract.TradersFound>>;
    /**
     * Follow the profile of one trader.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    stream: Subscription<
      z.input<typeof contract.StreamTraderInput>,
      z.output<typeof contract.TraderStreamEvent>
    >;
  };
  firm: {
    settings: {
      /**
       * Get the general settings of the firm.
       * Requires scope `admin:read`, permissions `manage_settings`.
       */
      get: Query<Record<string, never> | undefined, z.output<typeof contract.FirmSettings>>;
      /**
       * Change the general settings of the firm.
       * Requires scope `admin:write`, permissions `manage_settings`.
       */
      set: Mutation<z.input<typeof contract.SetFirmSettingsInput>, z.output<typeof contract.FirmSettings>>;
    };
    /**
     * Get what a new firm has set up.
     * Requires scope `admin:read`, permissions `manage_settings`.
     */
    setup: Query<Record<string, never> | undefined, z.output<typeof contract.FirmSetup>>;
    members: {
      /**
       * List the members of the firm’s team, with their permissions.
       * Requires scope `admin:read`, permissions `manage_members`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.Members>>;
      /**
       * List the firm’s traders.
       * Requires scope `admin:read`, permissions `manage_members`.
       * Error codes: `invalid_sort`, `invalid_limit`, `invalid_cursor`.
       */
      traders: Query<z.input<typeof contract.ListFirmTradersInput>, z.output<typeof contract.FirmTraderPage>>;
      /**
       * Replace the permissions of a member.
       * Requires scope `admin:write`, permissions `manage_members`.
       * Error codes: `resource_not_found`.
       */
      update: Mutation<z.input<typeof contract.UpdateMemberInput>, z.output<typeof contract.Member>>;
      /**
       * Get what ends when a member is dismissed.
       * Requires scope `admin:read`, permissions `manage_members`.
       * Error codes: `resource_not_found`.
       */
      previewDismissal: Query<z.input<typeof contract.MemberRef>, z.output<typeof contract.MemberDismissal>>;
      /**
       * Dismiss a member: sessions, keys and access to the firm end at once.
       * Requires scope `admin:write`, permissions `manage_members`.
       * Error codes: `resource_not_found`.
       */
      dismiss: Mutation<
        z.input<typeof contract.DismissMemberInput>,
        z.output<typeof contract.MemberDismissed>
      >;
      /**
       * Make a dismissed member a member again, with the same permissions.
       * Requires scope `admin:write`, permissions `manage_members`.
       * Error codes: `resource_not_found`.
       */
      readmit: Mutation<z.input<typeof contract.MemberRef>, z.output<typeof contract.Member>>;
    };
    invites: {
      /**
       * List the invites to the firm’s team.
       * Requires scope `admin:read`, permissions `manage_members`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.Invites>>;
      /**
       * Invite a person to the firm’s team.
       * Requires scope `admin:write`, permissions `manage_members`.
       * Error codes: `rate_limited`.
       */
      create: Mutation<z.input<typeof contract.CreateInviteInput>, z.output<typeof contract.Invite>>;
      /**
       * Send the link of an invite again, and let it be accepted for another seven days.
       * Requires scope `admin:write`, permissions `manage_members`.
       * Error codes: `resource_not_found`, `invite_ended`.
       */
      resend: Mutation<z.input<typeof contract.InviteRef>, z.output<typeof contract.Invite>>;
      /**
       * Revoke an invite: its link works no more.
       * Requires scope `admin:write`, permissions `manage_members`.
       * Error codes: `resource_not_found`, `invite_ended`.
       */
      revoke: Mutation<z.input<typeof contract.InviteRef>, z.output<typeof contract.Invite>>;
      /**
       * Get the link of an invite, to pass it on.
       * Requires scope `admin:write`, permissions `manage_members`.
       * Error codes: `resource_not_found`, `invite_ended`.
       */
      link: Query<z.input<typeof contract.InviteRef>, z.output<typeof contract.InviteLink>>;
    };
    teams: {
      /**
       * List the firm’s teams, with what belongs to each.
       * Requires scope `admin:read`, permissions `manage_settings`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.FirmTeams>>;
      /**
       * Create a team.
       * Requires scope `admin:write`, permissions `manage_settings`.
       */
      create: Mutation<z.input<typeof contract.CreateTeamInput>, z.output<typeof contract.FirmTeam>>;
      /**
       * Rename a team, and replace its members.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      update: Mutation<z.input<typeof contract.UpdateTeamInput>, z.output<typeof contract.FirmTeam>>;
      /**
       * Delete a team; its open tickets and macros go to another team.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`, `rate_limited`.
       */
      delete: Mutation<z.input<typeof contract.DeleteTeamInput>, z.output<typeof contract.TeamDeleted>>;
    };
    tags: {
      /**
       * List the firm’s tags, with how often each is used.
       * Requires scope `admin:read`, permissions `manage_settings`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.FirmTags>>;
      /**
       * Create a tag.
       * Requires scope `admin:write`, permissions `manage_settings`.
       */
      create: Mutation<z.input<typeof contract.CreateTagInput>, z.output<typeof contract.FirmTag>>;
      /**
       * Change the name and the colour of a tag.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      update: Mutation<z.input<typeof contract.UpdateTagInput>, z.output<typeof contract.FirmTag>>;
      /**
       * Replace a tag by another wherever it is used, and delete it.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      merge: Mutation<z.input<typeof contract.MergeTagsInput>, z.output<typeof contract.FirmTag>>;
      /**
       * Delete a tag.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      delete: Mutation<z.input<typeof contract.TagRef>, z.output<typeof contract.TagDeleted>>;
    };
    mailboxes: {
      /**
       * List the firm’s mailboxes, with who reads each.
       * Requires scope `admin:read`, permissions `manage_settings`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.FirmMailboxes>>;
      /**
       * Create a mailbox.
       * Requires scope `admin:write`, permissions `manage_settings`.
       */
      create: Mutation<
        z.input<typeof contract.CreateFirmMailboxInput>,
        z.output<typeof contract.FirmMailbox>
      >;
      /**
       * Change the name, the members and the aliases of a mailbox, and whether mail to it opens tickets.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      update: Mutation<
        z.input<typeof contract.UpdateFirmMailboxInput>,
        z.output<typeof contract.FirmMailbox>
      >;
    };
    keys: {
      /**
       * List the API keys of the firm and of its test data.
       * Requires scope `admin:read`, permissions `manage_tokens`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.ApiKeys>>;
      /**
       * Create an API key of the caller; its secret is shown once.
       * Requires scope `admin:write`, permissions `manage_tokens`.
       */
      create: Mutation<
        z.input<typeof contract.CreateApiKeyInput>,
        z.output<typeof contract.ApiKeyWithSecret>
      >;
      /**
       * Give an API key of the caller a new secret.
       * Requires scope `admin:write`, permissions `manage_tokens`.
       * Error codes: `resource_not_found`.
       */
      rotate: Mutation<
        z.input<typeof contract.RotateApiKeyInput>,
        z.output<typeof contract.ApiKeyWithSecret>
      >;
      /**
       * Revoke an API key of any member.
       * Requires scope `admin:write`, permissions `manage_tokens`.
       * Error codes: `resource_not_found`.
       */
      revoke: Mutation<z.input<typeof contract.ApiKeyRef>, z.output<typeof contract.ApiKeyRevoked>>;
    };
    webhooks: {
      /**
       * List the webhook endpoints of the firm, or of its test data.
       * Requires scope `admin:read`, permissions `manage_settings`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.WebhookEndpoints>>;
      /**
       * Add a webhook endpoint; its secret is shown once.
       * Requires scope `admin:write`, permissions `manage_settings`.
       */
      create: Mutation<
        z.input<typeof contract.CreateWebhookEndpointInput>,
        z.output<typeof contract.WebhookEndpointWithSecret>
      >;
      /**
       * Change a webhook endpoint, or switch it on or off.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      update: Mutation<
        z.input<typeof contract.UpdateWebhookEndpointInput>,
        z.output<typeof contract.WebhookEndpoint>
      >;
      /**
       * Give a webhook endpoint a new secret.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      rotate: Mutation<
        z.input<typeof contract.RotateWebhookSecretInput>,
        z.output<typeof contract.WebhookEndpointWithSecret>
      >;
      /**
       * Delete a webhook endpoint with its deliveries.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      delete: Mutation<
        z.input<typeof contract.WebhookEndpointRef>,
        z.output<typeof contract.WebhookEndpointDeleted>
      >;
      /**
       * List the deliveries of events to webhook endpoints.
       * Requires scope `admin:read`, permissions `manage_settings`.
       * Error codes: `resource_not_found`, `invalid_sort`, `invalid_limit`, `invalid_cursor`.
       */
      deliveries: Query<
        z.input<typeof contract.ListWebhookDeliveriesInput>,
        z.output<typeof contract.WebhookDeliveryPage>
      >;
      /**
       * Get a delivery with its body.
       * Requires scope `admin:read`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      delivery: Query<
        z.input<typeof contract.WebhookDeliveryRef>,
        z.output<typeof contract.WebhookDeliveryWithBody>
      >;
      /**
       * Send an event to a webhook endpoint again.
       * Requires scope `admin:write`, permissions `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      replay: Mutation<
        z.input<typeof contract.WebhookDeliveryRef>,
        z.output<typeof contract.WebhookDelivery>
      >;
    };
    audit: {
      /**
       * List the changes in the firm’s audit log.
       * Requires scope `admin:read`, permissions `view_audit`.
       * Error codes: `invalid_limit`, `invalid_cursor`.
       */
      list: Query<z.input<typeof contract.ListAuditInput>, z.output<typeof contract.AuditPage>>;
    };
    /**
     * Follow changes of the firm’s settings.
     * Requires scope `admin:read`, permissions .
     */
    live: Subscription<z.input<typeof contract.StreamFirmInput>, z.output<typeof contract.FirmStreamEvent>>;
    data: {
      person: {
        /**
         * List the exports and erasures of people.
         * Requires scope `admin:read`, permissions `manage_members`.
         */
        requests: Query<
          z.input<typeof contract.ListPersonRequestsInput>,
          z.output<typeof contract.DataRequests>
        >;
        /**
         * Export what the firm stores about a person.
         * Requires scope `admin:write`, permissions `manage_members`, `view_tickets`, `view_affiliates`.
         * Error codes: `resource_not_found`, `forbidden`.
         */
        export: Mutation<z.input<typeof contract.PersonRef>, z.output<typeof contract.DataRequest>>;
        /**
         * Get what the erasure of a person deletes, changes and keeps.
         * Requires scope `admin:read`, permissions `manage_members`.
         * Error codes: `resource_not_found`.
         */
        previewErasure: Query<z.input<typeof contract.PersonRef>, z.output<typeof contract.PersonErasure>>;
        /**
         * Erase a person: it cannot be undone.
         * Requires scope `admin:write`, permissions `manage_members`.
         * Error codes: `resource_not_found`, `forbidden`.
         */
        erase: Mutation<z.input<typeof contract.ErasePersonInput>, z.output<typeof contract.DataRequest>>;
      };
      /**
       * List the exports of the firm.
       * Requires scope `admin:read`, permissions `manage_settings`.
       */
      exports: Query<Record<string, never> | undefined, z.output<typeof contract.DataRequests>>;
      /**
       * Export the firm as an import file.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`, `view_payouts`, `view_affiliates`, `manage_affiliates`, `view_risk`, `view_storage`, `view_mail_health`, `manage_assistant`, `manage_members`, `manage_settings`, `manage_tokens`, `view_audit`, `view_reports`.
       */
      export: Mutation<Record<string, never> | undefined, z.output<typeof contract.DataRequest>>;
      /**
       * Get when the firm is deleted.
       * Requires scope `admin:read`, permissions `manage_settings`.
       */
      deletion: Query<Record<string, never> | undefined, z.output<typeof contract.FirmDeletion>>;
      /**
       * Schedule the deletion of the firm in seven days.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`, `view_payouts`, `view_affiliates`, `manage_affiliates`, `view_risk`, `view_storage`, `view_mail_health`, `manage_assistant`, `manage_members`, `manage_settings`, `manage_tokens`, `view_audit`, `view_reports`.
       */
      scheduleDeletion: Mutation<
        z.input<typeof contract.ScheduleDeletionInput>,
        z.output<typeof contract.FirmDeletion>
      >;
      /**
       * Cancel the deletion of the firm.
       * Requires scope `admin:write`, permissions `manage_settings`.
       */
      cancelDeletion: Mutation<Record<string, never> | undefined, z.output<typeof contract.FirmDeletion>>;
    };
  };
  invites: {
    /**
     * Get the invite of a link.
     * Error codes: `resource_not_found`, `workspace_not_permitted`.
     */
    get: Query<z.input<typeof contract.InviteKey>, z.output<typeof contract.OpenInvite>>;
    /**
     * Accept an invite with a new account, or with the password of the account of its address.
     * Error codes: `resource_not_found`, `workspace_not_permitted`, `invalid_credentials`, `invite_ended`.
     */
    accept: Mutation<z.input<typeof contract.AcceptInviteInput>, z.output<typeof contract.InviteAccepted>>;
    /**
     * Accept an invite for the address of the caller’s account.
     * Error codes: `resource_not_found`, `workspace_not_permitted`, `forbidden`, `invite_ended`.
     */
    join: Mutation<z.input<typeof contract.InviteKey>, z.output<typeof contract.InviteAccepted>>;
  };
  macros: {
    /**
     * List the firm’s macros.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `invalid_limit`, `invalid_cursor`.
     */
    list: Query<z.input<typeof contract.ListMacrosInput>, z.output<typeof contract.MacroPage>>;
    /**
     * Create a macro.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     * Error codes: `macro_limit_reached`.
     */
    create: Mutation<z.input<typeof contract.CreateMacroInput>, z.output<typeof contract.Macro>>;
    /**
     * Replace a macro.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     * Error codes: `resource_not_found`.
     */
    update: Mutation<z.input<typeof contract.UpdateMacroInput>, z.output<typeof contract.Macro>>;
    /**
     * Move a macro in the firm’s list.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     * Error codes: `resource_not_found`.
     */
    move: Mutation<z.input<typeof contract.MoveMacroInput>, z.output<typeof contract.MacroMoved>>;
    /**
     * Delete a macro.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     * Error codes: `resource_not_found`.
     */
    delete: Mutation<z.input<typeof contract.MacroRef>, z.output<typeof contract.MacroDeleted>>;
    /**
     * Export the firm’s macros as a file.
     * Requires scope `admin:read`, permissions `manage_assistant`.
     */
    export: Query<Record<string, never> | undefined, z.output<typeof contract.MacroFile>>;
    /**
     * Import macros from a file.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     * Error codes: `macro_limit_reached`.
     */
    import: Mutation<z.input<typeof contract.MacroFile>, z.output<typeof contract.MacrosImported>>;
    /**
     * Follow changes of the firm’s macros.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    live: Subscription<
      z.input<typeof contract.StreamMacrosInput>,
      z.output<typeof contract.MacroStreamEvent>
    >;
  };
  reports: {
    /**
     * Count the firm’s tickets, answers and durations in a period.
     * Requires scope `admin:read`, permissions `view_reports`.
     */
    get: Query<z.input<typeof contract.ReportInput>, z.output<typeof contract.Report>>;
    /**
     * Read whether the caller gets the weekly mail of reports.
     * Requires scope `admin:read`, permissions `view_reports`.
     */
    weeklyMail: Query<Record<string, never> | undefined, z.output<typeof contract.WeeklyReportSettings>>;
    /**
     * Start or stop the weekly mail of reports to the caller.
     * Requires scope `admin:write`, permissions `view_reports`.
     * Error codes: `resource_not_found`.
     */
    setWeeklyMail: Mutation<
      z.input<typeof contract.SetWeeklyReportInput>,
      z.output<typeof contract.WeeklyReportSettings>
    >;
  };
  knowledge: {
    /**
     * List the articles that the assistant answers from.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    list: Query<Record<string, never> | undefined, z.output<typeof contract.KnowledgeArticles>>;
    /**
     * Get an article that the assistant answers from.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    get: Query<
      z.input<typeof contract.KnowledgeArticleRef>,
      z.output<typeof contract.KnowledgeArticleWithText>
    >;
    /**
     * Add an article for the assistant.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     */
    create: Mutation<
      z.input<typeof contract.CreateArticleInput>,
      z.output<typeof contract.KnowledgeArticleWithText>
    >;
    /**
     * Replace an article of the assistant.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     * Error codes: `resource_not_found`.
     */
    update: Mutation<
      z.input<typeof contract.UpdateArticleInput>,
      z.output<typeof contract.KnowledgeArticleWithText>
    >;
    /**
     * Delete an article of the assistant.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     * Error codes: `resource_not_found`.
     */
    delete: Mutation<z.input<typeof contract.KnowledgeArticleRef>, z.output<typeof contract.ArticleDeleted>>;
    /**
     * List the articles on which the assistant’s replies on a ticket are based.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    used: Query<z.input<typeof contract.UsedArticlesInput>, z.output<typeof contract.UsedArticles>>;
    /**
     * Get how the assistant answers, and when it hands over.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    guide: Query<Record<string, never> | undefined, z.output<typeof contract.AssistantGuide>>;
    /**
     * Replace how the assistant answers, and when it hands over.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     */
    setGuide: Mutation<
      z.input<typeof contract.SetAssistantGuideInput>,
      z.output<typeof contract.AssistantGuide>
    >;
    /**
     * Let the assistant answer a past ticket for the caller, who sends nothing.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_assistant`.
     * Error codes: `resource_not_found`, `assistant_unavailable`.
     */
    try: Subscription<z.input<typeof contract.TryAssistantInput>, z.output<typeof contract.DraftStreamEvent>>;
  };
  satisfaction: {
    /**
     * Read how satisfied the trader of a ticket was.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    get: Query<z.input<typeof contract.TicketRef>, z.output<typeof contract.TicketSatisfaction>>;
    /**
     * Store how satisfied a trader was with the answers to a ticket, once.
     * Requires scope `platform:write`.
     * Error codes: `resource_not_found`, `precondition_failed`.
     */
    rate: Mutation<z.input<typeof contract.RateTicketInput>, z.output<typeof contract.TicketSatisfaction>>;
    /**
     * Read whether traders are asked how satisfied they were.
     * Requires scope `admin:read`, permissions `manage_assistant`.
     */
    settings: Query<Record<string, never> | undefined, z.output<typeof contract.SatisfactionSettings>>;
    /**
     * Set whether traders are asked how satisfied they were, by mail after a resolution.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     */
    setSettings: Mutation<
      z.input<typeof contract.SetSatisfactionInput>,
      z.output<typeof contract.SatisfactionSettings>
    >;
  };
  mailTemplates: {
    /**
     * List the wordings of the firm’s mail.
     * Requires scope `admin:read`, permissions `manage_assistant`.
     */
    list: Query<Record<string, never> | undefined, z.output<typeof contract.MailTemplateList>>;
    /**
     * Show a wording as a mail with made-up values.
     * Requires scope `admin:read`, permissions `manage_assistant`.
     */
    preview: Query<
      z.input<typeof contract.SaveMailTemplateInput>,
      z.output<typeof contract.MailTemplatePreview>
    >;
    /**
     * Change the wording of a kind of mail in one language.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     */
    save: Mutation<z.input<typeof contract.SaveMailTemplateInput>, z.output<typeof contract.MailTemplate>>;
    /**
     * Return to the built-in wording of a kind of mail.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     */
    reset: Mutation<z.input<typeof contract.MailTemplateRef>, z.output<typeof contract.MailTemplate>>;
  };
  staff: {
    firms: {
      /**
       * List the firms for which the caller is staff.
       * Requires scope `admin:read`.
       * Error codes: `forbidden`, `invalid_limit`, `invalid_cursor`.
       */
      list: Query<z.input<typeof contract.ListStaffFirmsInput>, z.output<typeof contract.StaffFirmPage>>;
      /**
       * Create a firm.
       * Requires scope `admin:write`.
       * Error codes: `forbidden`.
       */
      create: Mutation<z.input<typeof contract.CreateFirmInput>, z.output<typeof contract.StaffFirm>>;
      /**
       * Suspend a firm: nobody can use it, and nothing is lost.
       * Requires scope `admin:write`.
       * Error codes: `forbidden`, `resource_not_found`.
       */
      suspend: Mutation<z.input<typeof contract.StaffFirmInput>, z.output<typeof contract.StaffFirm>>;
      /**
       * Resume a suspended firm.
       * Requires scope `admin:write`.
       * Error codes: `forbidden`, `resource_not_found`.
       */
      resume: Mutation<z.input<typeof contract.StaffFirmInput>, z.output<typeof contract.StaffFirm>>;
      /**
       * Record in the audit log of a firm why the caller acts in it; a signed-in session of the staff acts in no firm before.
       * Requires scope `admin:write`.
       * Error codes: `forbidden`, `resource_not_found`.
       */
      enter: Mutation<z.input<typeof contract.StaffFirmInput>, z.output<typeof contract.FirmEntered>>;
    };
  };
  tickets: {
    /**
     * List the firm’s support tickets (`GET /v1/admin/tickets`).
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `invalid_sort`, `invalid_limit`, `invalid_cursor`.
     */
    list: Query<z.input<typeof contract.ListTicketsInput>, z.output<typeof contract.TicketPage>>;
    /**
     * List tickets by filters, with phrases and excluded words.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `invalid_sort`, `invalid_limit`, `invalid_cursor`.
     */
    search: Query<z.input<typeof contract.SearchTicketsInput>, z.output<typeof contract.TicketPage>>;
    /**
     * Read the beginnings of the latest messages of tickets.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    previews: Query<z.input<typeof contract.PreviewTicketsInput>, z.output<typeof contract.TicketPreviews>>;
    /**
     * Count the tickets of each group of the queue.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    counts: Query<z.input<typeof contract.CountTicketsInput>, z.output<typeof contract.TicketCounts>>;
    /**
     * Get a ticket and what the caller can do with it.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    get: Query<z.input<typeof contract.TicketRef>, z.output<typeof contract.TicketWithCan>>;
    /**
     * List a ticket’s conversation, newest first.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`, `invalid_limit`, `invalid_cursor`.
     */
    messages: Query<
      z.input<typeof contract.ListTicketMessagesInput>,
      z.output<typeof contract.TicketMessagePage>
    >;
    /**
     * List the changes of a ticket, newest first.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`, `invalid_limit`, `invalid_cursor`.
     */
    history: Query<
      z.input<typeof contract.ListTicketHistoryInput>,
      z.output<typeof contract.TicketHistoryPage>
    >;
    /**
     * List the agents, teams and tags of the firm.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    desk: Query<Record<string, never> | undefined, z.output<typeof contract.SupportDirectory>>;
    /**
     * Reply to the trader.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`, `newer_messages`.
     */
    reply: Mutation<z.input<typeof contract.ReplyInput>, z.output<typeof contract.TicketMessage>>;
    /**
     * Send a reply to the trader after some seconds, during which its author can take it back.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`, `newer_messages`.
     */
    holdReply: Mutation<z.input<typeof contract.ReplyInput>, z.output<typeof contract.DelayedSend>>;
    /**
     * Get whether a reply of the caller is delayed, was sent, or is a draft again.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    heldReply: Query<z.input<typeof contract.DelayedSendRef>, z.output<typeof contract.DelayedSendState>>;
    /**
     * Undo a delayed send, so that the reply is not sent.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `reply_sent`.
     */
    takeBackReply: Mutation<
      z.input<typeof contract.DelayedSendRef>,
      z.output<typeof contract.ReplyTakenBack>
    >;
    /**
     * List the replies of a ticket that may no longer be sent and are kept for the team.
     * Requires scope `admin:read`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    unsentReplies: Query<z.input<typeof contract.TicketRef>, z.output<typeof contract.UnsentReplies>>;
    /**
     * Add an unsent reply to the caller’s draft, unless a colleague was faster.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`.
     */
    takeOverReply: Mutation<
      z.input<typeof contract.UnsentReplyRef>,
      z.output<typeof contract.ReplyTakenOver>
    >;
    /**
     * Delete an unsent reply.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    discardReply: Mutation<z.input<typeof contract.UnsentReplyRef>, z.output<typeof contract.ReplyDiscarded>>;
    /**
     * Add a note for the team.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`, `newer_messages`.
     */
    addNote: Mutation<z.input<typeof contract.NoteInput>, z.output<typeof contract.TicketMessage>>;
    /**
     * Follow a ticket: its new messages of the trader notify the caller; or end that.
     * Requires scope `admin:write`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    follow: Mutation<z.input<typeof contract.FollowTicketInput>, z.output<typeof contract.TicketFollowing>>;
    /**
     * List the caller’s unsent replies and notes, without their texts.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    drafts: Query<Record<string, never> | undefined, z.output<typeof contract.ReplyDraftList>>;
    /**
     * Get the caller’s unsent reply and note of a ticket.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    draftsOf: Query<z.input<typeof contract.TicketRef>, z.output<typeof contract.ReplyDraftsOfTicket>>;
    /**
     * Save an unsent reply or note, unless another device has saved a newer one.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`.
     */
    saveDraft: Mutation<
      z.input<typeof contract.SaveReplyDraftInput>,
      z.output<typeof contract.ReplyDraftSave>
    >;
    /**
     * Assign a ticket to an agent or a team, or unassign it.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    assign: Mutation<z.input<typeof contract.AssignInput>, z.output<typeof contract.Ticket>>;
    /**
     * Set a ticket’s priority.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    setPriority: Mutation<z.input<typeof contract.SetPriorityInput>, z.output<typeof contract.Ticket>>;
    /**
     * Set a ticket’s tags.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    setTags: Mutation<z.input<typeof contract.SetTagsInput>, z.output<typeof contract.Ticket>>;
    /**
     * Undo changes of a ticket that nobody has changed since.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `undo_expired`, `ticket_ended`, `assistant_unavailable`.
     */
    undoChanges: Mutation<z.input<typeof contract.UndoChangesInput>, z.output<typeof contract.Ticket>>;
    /**
     * Undo that a ticket was resolved or closed, within 15 seconds.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`.
     */
    undoEnd: Mutation<z.input<typeof contract.UndoEndInput>, z.output<typeof contract.Ticket>>;
    /**
     * Set a ticket’s status, or resolve or close it.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`.
     */
    setStatus: Mutation<z.input<typeof contract.SetStatusInput>, z.output<typeof contract.Ticket>>;
    /**
     * Mark a ticket’s messages as read.
     * Requires scope `admin:write`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    markRead: Mutation<z.input<typeof contract.TicketRef>, z.output<typeof contract.Ticket>>;
    /**
     * Mark the latest message of a ticket’s trader as unread.
     * Requires scope `admin:write`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    markUnread: Mutation<z.input<typeof contract.TicketRef>, z.output<typeof contract.Ticket>>;
    /**
     * Snooze a ticket until a time or until the trader writes.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`.
     */
    snooze: Mutation<z.input<typeof contract.SnoozeInput>, z.output<typeof contract.Ticket>>;
    /**
     * End the snooze of a ticket.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    endSnooze: Mutation<z.input<typeof contract.TicketRef>, z.output<typeof contract.Ticket>>;
    /**
     * Open a ticket for a trader, with a reply or a note.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    start: Mutation<z.input<typeof contract.StartTicketInput>, z.output<typeof contract.TicketStarted>>;
    /**
     * Link two tickets with each other.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    link: Mutation<z.input<typeof contract.LinkTicketsInput>, z.output<typeof contract.TicketLinks>>;
    /**
     * Remove the link between two tickets.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    unlink: Mutation<z.input<typeof contract.LinkTicketsInput>, z.output<typeof contract.TicketLinks>>;
    /**
     * Merge a ticket into another one of the same trader, which cannot be undone.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`.
     */
    merge: Mutation<z.input<typeof contract.MergeTicketsInput>, z.output<typeof contract.Ticket>>;
    /**
     * Switch the assistant on or off for the trader; once the team has replied it stays off.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`, `assistant_unavailable`.
     */
    switchAssistant: Mutation<
      z.input<typeof contract.SwitchAssistantInput>,
      z.output<typeof contract.Ticket>
    >;
    /**
     * Block or unblock the assistant for the trader.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    blockAssistant: Mutation<z.input<typeof contract.BlockAssistantInput>, z.output<typeof contract.Ticket>>;
    /**
     * Get the assistant’s settings and how much of its allowance is used.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    assistantSettings: Query<Record<string, never> | undefined, z.output<typeof contract.AssistantSettings>>;
    /**
     * Change the assistant’s settings.
     * Requires scope `admin:write`, permissions `manage_assistant`.
     */
    updateAssistantSettings: Mutation<
      z.input<typeof contract.UpdateAssistantInput>,
      z.output<typeof contract.AssistantSettings>
    >;
    bulkChanges: {
      /**
       * Change many tickets, by their ids or by a filter, in the background.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
       */
      start: Mutation<z.input<typeof contract.StartBulkChangeInput>, z.output<typeof contract.BulkChange>>;
      /**
       * Get the progress of a bulk change.
       * Requires scope `admin:read`, permissions `view_tickets`, `manage_tickets`.
       * Error codes: `resource_not_found`.
       */
      get: Query<z.input<typeof contract.BulkChangeRef>, z.output<typeof contract.BulkChange>>;
      /**
       * List the bulk changes that were stopped because their account may no longer change tickets.
       * Requires scope `admin:read`, permissions `view_tickets`, `manage_tickets`.
       */
      stopped: Query<Record<string, never> | undefined, z.output<typeof contract.StoppedBulkChanges>>;
      /**
       * List the tickets that a bulk change has left as they were.
       * Requires scope `admin:read`, permissions `view_tickets`, `manage_tickets`.
       * Error codes: `resource_not_found`, `invalid_limit`.
       */
      skipped: Query<
        z.input<typeof contract.ListSkippedTicketsInput>,
        z.output<typeof contract.SkippedTicketPage>
      >;
      /**
       * Stop and undo a bulk change, until a minute after it has ended; one that was stopped, for a day.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
       * Error codes: `resource_not_found`, `undo_expired`.
       */
      undo: Mutation<z.input<typeof contract.BulkChangeRef>, z.output<typeof contract.BulkChange>>;
    };
    assignment: {
      /**
       * Get how teams assign their tickets, and which agents are available.
       * Requires scope `admin:read`, permissions `view_tickets`.
       */
      get: Query<Record<string, never> | undefined, z.output<typeof contract.AssignmentSettings>>;
      /**
       * Get whether the caller is available for tickets.
       * Requires scope `admin:read`, permissions `view_tickets`, `manage_tickets`.
       * Error codes: `resource_not_found`.
       */
      mine: Query<Record<string, never> | undefined, z.output<typeof contract.AgentAvailability>>;
      /**
       * Set whether the caller is available for tickets.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
       * Error codes: `resource_not_found`.
       */
      setMine: Mutation<
        z.input<typeof contract.SetAvailabilityInput>,
        z.output<typeof contract.AgentAvailability>
      >;
      /**
       * Set whether an agent is available for tickets, and for how many.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      setAgent: Mutation<
        z.input<typeof contract.SetAgentAvailabilityInput>,
        z.output<typeof contract.AgentAvailability>
      >;
      /**
       * Set how a team assigns its tickets.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      setTeam: Mutation<
        z.input<typeof contract.SetTeamAssignmentInput>,
        z.output<typeof contract.AssignmentSettings>
      >;
    };
    rules: {
      /**
       * List the firm’s rules for tickets.
       * Requires scope `admin:read`, permissions `view_tickets`, `manage_settings`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.TicketRules>>;
      /**
       * Compare a rule with the firm’s latest tickets, without changing them.
       * Requires scope `admin:read`, permissions `view_tickets`, `manage_settings`.
       */
      preview: Query<z.input<typeof contract.PreviewRuleInput>, z.output<typeof contract.RulePreview>>;
      /**
       * Create a rule for tickets.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_settings`.
       * Error codes: `rule_limit_reached`.
       */
      create: Mutation<z.input<typeof contract.CreateRuleInput>, z.output<typeof contract.TicketRule>>;
      /**
       * Replace a rule.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      update: Mutation<z.input<typeof contract.UpdateRuleInput>, z.output<typeof contract.TicketRule>>;
      /**
       * Move a rule in the firm’s order.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      move: Mutation<z.input<typeof contract.MoveRuleInput>, z.output<typeof contract.TicketRules>>;
      /**
       * Delete a rule.
       * Requires scope `admin:write`, permissions `view_tickets`, `manage_settings`.
       * Error codes: `resource_not_found`.
       */
      delete: Mutation<z.input<typeof contract.RuleRef>, z.output<typeof contract.TicketRules>>;
    };
    serviceTargets: {
      /**
       * Get the firm’s SLA policy: targets and business hours.
       * Requires scope `admin:read`, permissions `view_tickets`.
       */
      get: Query<Record<string, never> | undefined, z.output<typeof contract.SlaPolicy>>;
      /**
       * Replace the firm’s SLA policy.
       * Requires scope `admin:write`, permissions `manage_assistant`.
       * Error codes: `precondition_failed`.
       */
      set: Mutation<z.input<typeof contract.SetSlaPolicyInput>, z.output<typeof contract.SlaPolicy>>;
      /**
       * Follow changes of the firm’s SLA policy.
       * Requires scope `admin:read`, permissions `view_tickets`.
       */
      live: Subscription<
        z.input<typeof contract.StreamSlaPolicyInput>,
        z.output<typeof contract.SlaPolicyStreamEvent>
      >;
    };
    views: {
      /**
       * List the caller’s saved views and those of their teams, in the caller’s order.
       * Requires scope `admin:read`, permissions `view_tickets`.
       */
      list: Query<Record<string, never> | undefined, z.output<typeof contract.TicketViewList>>;
      /**
       * Count the tickets of each saved view.
       * Requires scope `admin:read`, permissions `view_tickets`.
       */
      counts: Query<z.input<typeof contract.CountTicketsInput>, z.output<typeof contract.TicketViewCounts>>;
      /**
       * Save a view, for the caller or for one of their teams.
       * Requires scope `admin:write`, permissions `view_tickets`.
       */
      create: Mutation<z.input<typeof contract.CreateTicketViewInput>, z.output<typeof contract.TicketView>>;
      /**
       * Rename or share a saved view, or change its filters.
       * Requires scope `admin:write`, permissions `view_tickets`.
       * Error codes: `resource_not_found`.
       */
      update: Mutation<z.input<typeof contract.UpdateTicketViewInput>, z.output<typeof contract.TicketView>>;
      /**
       * Delete a saved view.
       * Requires scope `admin:write`, permissions `view_tickets`.
       * Error codes: `resource_not_found`.
       */
      delete: Mutation<z.input<typeof contract.TicketViewRef>, z.output<typeof contract.TicketViewDeleted>>;
      /**
       * Set the order in which the caller sees their saved views.
       * Requires scope `admin:write`, permissions `view_tickets`.
       */
      reorder: Mutation<
        z.input<typeof contract.OrderTicketViewsInput>,
        z.output<typeof contract.TicketViewList>
      >;
      /**
       * Follow changes of the caller’s views and of those of the firm’s teams.
       * Requires scope `admin:read`, permissions `view_tickets`.
       */
      live: Subscription<
        z.input<typeof contract.StreamTicketViewsInput>,
        z.output<typeof contract.TicketViewStreamEvent>
      >;
    };
    platform: {
      /**
       * Open a ticket for a trader.
       * Requires scope `platform:write`.
       */
      open: Mutation<z.input<typeof contract.OpenTicketInput>, z.output<typeof contract.TraderWrote>>;
      /**
       * Add a trader’s message to a ticket, or to a new one if that has ended.
       * Requires scope `platform:write`.
       * Error codes: `resource_not_found`.
       */
      write: Mutation<z.input<typeof contract.TraderWriteInput>, z.output<typeof contract.TraderWrote>>;
      /**
       * Call the assistant back for a trader.
       * Requires scope `platform:write`.
       * Error codes: `resource_not_found`, `ticket_ended`, `assistant_unavailable`.
       */
      callAssistant: Mutation<z.input<typeof contract.CallAssistantInput>, z.output<typeof contract.Ticket>>;
      /**
       * Update the search texts of a trader’s tickets after a change of name or address.
       * Requires scope `platform:write`.
       */
      traderRenamed: Mutation<
        z.input<typeof contract.TraderRenamedInput>,
        z.output<typeof contract.TraderRenamed>
      >;
    };
    /**
     * Ask the AI assistant to write the next reply (`POST /v1/admin/tickets/{ticket}/ai`).
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `newer_messages`, `ticket_ended`, `assistant_unavailable`.
     */
    askAssistant: Mutation<
      z.input<typeof contract.AskAssistantInput>,
      z.output<typeof contract.TicketMessage>
    >;
    /**
     * Let the assistant draft a reply for the caller, who can edit and send it.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `ticket_ended`, `assistant_unavailable`.
     */
    draftReply: Subscription<
      z.input<typeof contract.DraftReplyInput>,
      z.output<typeof contract.DraftStreamEvent>
    >;
    /**
     * Stop the assistant’s replies on a ticket.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`.
     */
    stopAssistant: Mutation<
      z.input<typeof contract.StopAssistantInput>,
      z.output<typeof contract.AssistantStopped>
    >;
    /**
     * Undo a command of the caller to the assistant while its reply is written.
     * Requires scope `admin:write`, permissions `view_tickets`, `manage_tickets`.
     * Error codes: `resource_not_found`, `reply_sent`.
     */
    undoCommand: Mutation<z.input<typeof contract.UndoCommandInput>, z.output<typeof contract.CommandUndone>>;
    /**
     * Follow one ticket: its messages, its changes, and what the assistant writes.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    stream: Subscription<
      z.input<typeof contract.StreamTicketInput>,
      z.output<typeof contract.TicketStreamEvent>
    >;
    /**
     * Follow who has which tickets open, and who types.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    presence: Subscription<
      z.input<typeof contract.StreamPresenceInput>,
      z.output<typeof contract.PresenceEvent>
    >;
    /**
     * Show colleagues that the caller has a ticket open, until the subscription ends.
     * Requires scope `admin:read`, permissions `view_tickets`.
     * Error codes: `resource_not_found`.
     */
    attend: Subscription<
      z.input<typeof contract.AttendTicketInput>,
      z.output<typeof contract.AttendanceEvent>
    >;
    /**
     * Follow the inbox: every ticket of the firm that changes.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    live: Subscription<z.input<typeof contract.StreamInboxInput>, z.output<typeof contract.InboxStreamEvent>>;
    /**
     * Follow the caller’s unsent replies and notes, on all their devices.
     * Requires scope `admin:read`, permissions `view_tickets`.
     */
    liveDrafts: Subscription<
      z.input<typeof contract.StreamReplyDraftsInput>,
      z.output<typeof contract.ReplyDraftStreamEvent>
    >;
  };
}

/** The mutations that take no `Idempotency-Key`: after a lost response, their effect is unknown. */
export const mutationsWithoutIdempotencyKey: ReadonlySet<string> = new Set([
  'mail.cancelSending',
  'sessions.startPasskey',
  'sessions.signInWithPasskey',
  'sessions.startProvider',
  'sessions.signInWithProvider',
  'sessions.confirm',
  'sessions.requestPasswordReset',
  'sessions.resetPassword',
  'sessions.open',
  'sessions.end',
  'sessions.signOut',
  'sessions.changePassword',
  'signIn.startSecondFactor',
  'signIn.enableSecondFactor',
  'signIn.renewRecoveryCodes',
  'signIn.startPasskey',
  'firm.keys.create',
  'firm.keys.rotate',
  'firm.webhooks.create',
  'firm.webhooks.rotate',
]);
