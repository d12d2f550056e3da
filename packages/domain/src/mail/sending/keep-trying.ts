import { delay } from '../../platform/process/delay.ts';
import type { Services } from '../../platform/services.ts';

/** The pause between two attempts to record what a server answered, and how many there are: for an hour. */
const RECORD_MS = 500;
const RECORD_ATTEMPTS = 7_200;

/** Records the outcome of a message. While the database is away, it is tried again: the answer of a server must not be forgotten. */
export async function keepTrying(
  { log }: Services,
  message: string,
  record: () => Promise<void>,
): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await record();
      return;
    } catch (error) {
      if (attempts === RECORD_ATTEMPTS) throw error;
      log.error({ err: error, message }, 'the outcome of a message cannot be recorded yet');
      await delay(RECORD_MS);
    }
  }
}
