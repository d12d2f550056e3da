/** The parts of the calendar that other features use. */

export { type AccessLevel, isAtLeast } from './access-level.ts';
export { applyInvitations, type Invitee } from './apply-invitations.ts';
export type { Conference } from './calendar.entity.ts';
export { createCalendar } from './create-calendar.ts';
export { insertEvents } from './insert-events.ts';
export type { InvitationSender } from './invitation-sender.ts';
export { EVENT_STEPS } from './limits.ts';
export { loadOverrides } from './load-overrides.ts';
export { type ReadInvitation, readInvitations } from './read-invitations.ts';
export { type EventTimes, isRecurring, type OverrideColumns } from './series.ts';
export { runTask, runTaskInThread, runTaskOnLoop, SYSTEM_QUEUE, taskQueueOf } from './tasks/run-task.ts';
export { isTooMuchWork } from './tasks/too-much-work.ts';
