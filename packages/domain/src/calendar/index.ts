/** What other features use of this one. */
export { applyInvitations, type Invitee } from './apply-invitations.ts';
export type { Conference } from './calendar.entity.ts';
export type { InvitationDocument } from './ics/read-invitation.ts';
export { isAtLeast, type ReachLevel } from './reach.ts';
export { readInvitations } from './read-invitations.ts';
export { type EventTimes, isRecurring, type OverrideColumns, seriesOf } from './series.ts';
export { bounded } from './work/bounded.ts';
export { compute } from './work/compute.ts';
