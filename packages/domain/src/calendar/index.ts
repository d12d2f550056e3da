/** The parts of the calendar that other features use. */

export type { Conference } from './calendar.entity.ts';
export { type AccessLevel, isAtLeast } from './calendars/access-level.ts';
export { createCalendar } from './calendars/create-calendar.ts';
export { insertEvents } from './events/insert-events.ts';
export { loadOverrides } from './events/load-overrides.ts';
export { type EventTimes, isRecurring, type OverrideColumns } from './events/series.ts';
export { applyInvitations } from './invitations/apply-invitations.ts';
export type { InvitationSender, Invitee } from './invitations/invitation-sender.ts';
export { type ReadInvitation, readInvitations } from './invitations/read-invitations.ts';
export { EVENT_STEPS } from './limits.ts';
export { DueReminders, mailRemindersJob } from './reminders/due-reminders.ts';
export { mailSchedulingJob, type SchedulingMails } from './scheduling/scheduling-job.ts';
export { runTask, runTaskInThread, runTaskOnLoop, SYSTEM_QUEUE, taskQueueOf } from './tasks/run-task.ts';
export { isTooMuchWork } from './tasks/too-much-work.ts';
