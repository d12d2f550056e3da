import { FirmStreamEvent, StreamFirmInput } from '@firmdesk/contract';
import { streamTopic } from '../procedures/stream-topic.ts';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, router } from '../procedures/trpc.ts';
import { FIRM } from './firm-changes.ts';
import { membersRouter } from './members/router.ts';

export const firmRouter = router({
  members: membersRouter,

  live: adminProcedure({
    tag: 'Firm',
    scope: 'admin:read',
    permissions: [],
    summary: 'Follow changes of the firm’s settings',
    input: StreamFirmInput,
    output: trackedStreamOf(FirmStreamEvent),
  }).subscription(({ ctx, input, signal }) =>
    streamTopic<FirmStreamEvent>(ctx, { subject: FIRM }, input, signal!),
  ),
});
