import {
  SetProfileInput,
  StreamTraderInput,
  TraderContext,
  TraderProfile,
  TraderRef,
  TraderStreamEvent,
} from '@firmdesk/contract';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, router, workspaceProcedure } from '../procedures/trpc.ts';
import { getContext } from './get-context.ts';
import { setProfile } from './set-profile.ts';
import { streamTrader } from './stream-trader.ts';

const tag = 'Traders';
const viewing = { tag, scope: 'admin:read', permissions: ['view_tickets'] } as const;

export const tradersRouter = router({
  setProfile: workspaceProcedure({
    tag,
    summary: 'Set what the platform says about a trader, and how the console shows it',
    scope: 'platform:write',
    errors: ['resource_not_found'],
    input: SetProfileInput,
    output: TraderProfile,
  }).mutation(({ ctx, input }) => setProfile(ctx, input)),

  context: adminProcedure({
    ...viewing,
    summary: 'Get what the platform says about a trader',
    input: TraderRef,
    output: TraderContext,
  }).query(({ ctx, input }) => getContext(ctx, input)),

  stream: adminProcedure({
    ...viewing,
    summary: 'Follow the profile of one trader',
    errors: ['resource_not_found'],
    input: StreamTraderInput,
    output: trackedStreamOf(TraderStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamTrader(ctx, input, signal!)),
});
