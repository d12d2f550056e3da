import type { StreamTraderInput, TraderStreamEvent } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { firmIdOf } from '../access/policy.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { streamTopic } from '../procedures/stream-topic.ts';
import type { TrackedStream } from '../procedures/tracked-stream.ts';
import { traderTopic } from './trader-profile.ts';

/** Streams that the profile of a trader is set, from now on or after `lastEventId`. Throws `resource_not_found` for an account of no member. */
export async function streamTrader(
  ctx: AccountContext,
  input: z.output<typeof StreamTraderInput>,
  signal: AbortSignal,
): Promise<TrackedStream<TraderStreamEvent>> {
  const { workspace } = ctx;
  const { trader } = input;
  const { rows } = await sql`
    select from memberships
    where workspace_id = ${firmIdOf(workspace.id)} and user_id = ${trader}`.execute(ctx.db);
  if (rows.length === 0) throw new ApiError('resource_not_found');
  return streamTopic(ctx, traderTopic(workspace.id, trader), input, signal);
}
