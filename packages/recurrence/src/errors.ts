/** Why a rule or a series is rejected. */
export type RecurrenceReason =
  | 'too-long'
  | 'syntax'
  | 'unknown-part'
  | 'repeated-part'
  | 'missing-freq'
  | 'unknown-freq'
  | 'too-fine'
  | 'unsupported'
  | 'out-of-range'
  | 'forbidden'
  | 'until-form'
  | 'invalid-time'
  | 'unknown-zone'
  | 'end-before-start'
  | 'invalid-window'
  | 'too-much-work';

/** The only error class that this package throws deliberately. `reason` is for programs, `message` for people. */
export class RecurrenceError extends Error {
  override readonly name = 'RecurrenceError';
  readonly reason: RecurrenceReason;

  constructor(reason: RecurrenceReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
