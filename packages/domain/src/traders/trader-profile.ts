import type { TraderProfile } from '@firmdesk/contract';
import type { Topic } from '../platform/events/event-log.ts';

/** A row of `trader_profiles`. */
export interface ProfileRow extends Omit<TraderProfile, 'object' | 'trader'> {
  user_id: string;
}

/** The type of the event that a profile was set. */
export const TRADER_PROFILE = 'trader.profile_set';

/** All events of one trader. */
export function traderTopic(workspaceId: number, trader: string): Topic {
  return { workspaceId, subject: trader };
}

export function toProfile({ user_id, ...row }: ProfileRow): TraderProfile {
  return { object: 'trader_profile', trader: user_id, ...row };
}
