/**
 * Loaded into a process before its program: its wall clock follows offsets sent over the channel to its parent, as the
 * clock of a machine does that is set. Timers go on, as they do there.
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
// Not a reason to live on; and who started it is not to be outlived.
process.channel?.unref();
process.on('disconnect', () => process.exit(1));
