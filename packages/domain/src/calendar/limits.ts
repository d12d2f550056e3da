/**
 * Limits of calendar work. Steps are those of the recurrence package, about 0.1 µs each on an idle machine.
 */

/** The steps of a task on the event loop: at most a few tens of milliseconds, also on a busy machine. Beyond it, a thread runs the task. */
export const LOOP_STEPS = 50_000;

/** The steps for writing one event, or expanding it in a window. Enough to search a rule without a match up to year 9999. */
export const EVENT_STEPS = 600_000;

/** The steps of a change of one event, which runs on the event loop. */
export const CHANGE_STEPS = 200_000;

/** The steps for all events of a window. The event loop runs the first part, in slices; threads run the rest. */
export const WINDOW_STEPS = 8_000_000;
export const WINDOW_LOOP_STEPS = 300_000;

/** The maximum number of events that a window reads, and the maximum bytes of text that it reads and returns. */
export const WINDOW_CANDIDATES = 20_000;
export const WINDOW_BYTES = 16_777_216;

/** The steps for all events of an imported document or an invitation, including the search for its time zones. */
export const DOCUMENT_STEPS = 20_000_000;

/** The maximum number of events from the invitations in one mail. The others are skipped; the mail is delivered. */
export const INVITATION_EVENTS = 50;
