/** What other features use of this one. */
export { applyInvitations, type Invitee } from './apply-invitations.ts';
export type { Conference } from './calendar.entity.ts';
export type { InvitationDocument } from './ics/read-invitation.ts';
export { EVENT_STEPS } from './limits.ts';
export { isAtLeast, type ReachLevel } from './reach.ts';
export { readInvitations } from './read-invitations.ts';
export { readOverrides } from './read-overrides.ts';
export { type EventTimes, isRecurring, type OverrideColumns } from './series.ts';
export { compute, computeInThread, computeOnLoop } from './work/compute.ts';
export { isTooMuchWork } from './work/too-much-work.ts';
