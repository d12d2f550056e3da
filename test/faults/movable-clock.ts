/**
 * Preloaded into a process: shifts its wall clock by offsets that the parent sends, like a machine whose clock is set. Timers are not
 * affected.
 */
const RealDate = Date;
let offset = 0;

class MovedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [MovedDate.now()] : given) as []));
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}
globalThis.Date = MovedDate as DateConstructor;

process.on('message', (message: { clockOffset?: number }) => {
  if (message.clockOffset !== undefined) offset = message.clockOffset;
});
// The channel does not keep the process alive, and the process ends with its parent.
process.channel?.unref();
process.on('disconnect', () => process.exit(1));
