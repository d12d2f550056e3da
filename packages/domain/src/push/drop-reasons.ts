/** The reasons why a queued push is dropped when it is about to be sent. */
export const dropReasons = [
  /** The notification was deleted. */
  'gone',
  /** The occurrence no longer starts at the time of the reminder. */
  'moved',
  'muted',
  /** The account is no longer an administrator. */
  'no_admin',
  'no_device',
  'no_permission',
  'no_scope',
  'not_a_member',
  'not_in_inbox',
  /** The event, its reminder or the access to its calendar is gone. */
  'not_in_reach',
  /** The message was deleted, or the account lost access to its mailbox. */
  'not_readable',
  /** The account sent the message. */
  'own',
  'session_ended',
  'too_late',
  /** Expanding the event's recurrence takes too many steps. */
  'too_much_work',
  /** Composing the push failed. The error is logged. */
  'unwritable',
] as const;

export type DropReason = (typeof dropReasons)[number];
