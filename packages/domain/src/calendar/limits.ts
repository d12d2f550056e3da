/**
 * Bounds of calendar work. Steps are those of the recurrence package: about 0.1 µs each on a quiet machine.
 */

/** Work that stays on the event loop: at most a few tens of milliseconds, also on a busy machine. More goes to a thread. */
export const LOOP_STEPS = 50_000;

/** One event: to write it, or to expand it in a window. A rule that never matches is walked through to the year 9999. */
export const EVENT_STEPS = 600_000;

/** A change of one event, which is worked out on the event loop. */
export const CHANGE_STEPS = 200_000;

/** All events of a window; the first part of it is done on the event loop, in slices, and the rest in threads. */
export const WINDOW_STEPS = 8_000_000;
export const WINDOW_LOOP_STEPS = 300_000;

/** Events that a window looks at, and the bytes of text that it reads, and that it answers. */
export const WINDOW_CANDIDATES = 20_000;
export const WINDOW_BYTES = 16_777_216;

/** All events of an imported document, or of an invitation; finding the zones that it describes is part of it. */
export const DOCUMENT_STEPS = 20_000_000;

/** Events that the invitations in one mail may bring; the others are left out. The mail itself arrives. */
export const INVITATION_EVENTS = 50;
