/** The reasons why a queued push is dropped when it is about to be sent. */
export const dropReasons = [
  'gone',
  'moved',
  'muted',
  'no_admin',
  'no_device',
  'no_permission',
  'no_scope',
  'not_a_member',
  'not_in_inbox',
  'not_in_reach',
  'not_readable',
  'own',
  'session_ended',
  'too_late',
  'too_much_work',
  'unwritable',
] as const;

export type DropReason = (typeof dropReasons)[number];
