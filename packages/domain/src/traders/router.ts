import {
  FindTradersInput,
  SetProfileInput,
  StreamTraderInput,
  TraderContext,
  TraderProfile,
  TraderRef,
  TraderStreamEvent,
  TradersFound,
} from '@firmdesk/contract';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { adminProcedure, router, workspaceProcedure } from '../procedures/trpc.ts';
import { findTraders } from './find-traders.ts';
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

  find: adminProcedure({
    ...viewing,
    summary: 'Find people of the firm by any part of their name or address',
    errors: ['unavailable', 'rate_limited'],
    input: FindTradersInput,
    output: TradersFound,
  }).query(({ ctx, input }) => findTraders(ctx, input)),

  stream: adminProcedure({
    ...viewing,
    summary: 'Follow the profile of one trader',
    errors: ['resource_not_found'],
    input: StreamTraderInput,
    output: trackedStreamOf(TraderStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamTrader(ctx, input, signal!)),
});
