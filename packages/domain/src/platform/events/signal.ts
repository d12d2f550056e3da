import { sql } from 'kysely';
import type { OperationContext } from '../context.ts';
import { sqlOf } from '../database.ts';
import { CHANNEL, payloadOf } from './listener.ts';

/** Sends a signal to every process when the transaction commits. Signals may be lost: the tables hold the state. */
export async function sendSignal(
  { em }: Pick<OperationContext, 'em'>,
  kind: string,
  id: string,
): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${payloadOf(kind, id)})`.execute(sqlOf(em));
}
