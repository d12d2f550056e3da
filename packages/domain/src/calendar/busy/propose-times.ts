import {
  type BusinessHours,
  MAX_BUSY_DAYS,
  MAX_PROPOSED_TIMES,
  type ProposedTimes,
  type ProposeTimesInput,
} from '@firmdesk/contract';
import { resolveZone } from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { readBusinessHours } from '../../sla/index.ts';
import { busyOf, storable } from './busy-times.ts';
import { freeTimes } from './free-times.ts';

/**
 * Returns the next times at which everybody of whom something is known is free, in the firm's business hours, or in office hours of the
 * organizer's zone if it has none. Throws `resource_not_found` for an event that the caller cannot access, `validation_failed`.
 */
export async function proposeTimes(
  ctx: AccountContext,
  { emails, except_event, from, minutes, timezone }: ProposeTimesInput,
): Promise<ProposedTimes> {
  const zone = resolveZone(timezone ?? ctx.identity.user.timezone);
  if (zone === null) throw invalidField('timezone', 'must be an IANA time zone');
  const until = storable(Math.max(Date.parse(from), ctx.now.getTime()) + MAX_BUSY_DAYS * DAY_MS);
  const window = { from: until - MAX_BUSY_DAYS * DAY_MS, until };
  const { people, isTruncated } = await busyOf(ctx, { emails, exceptEvent: except_event, window });
  const times = freeTimes({
    ...window,
    busy: [...people.values()].flat(),
    minutes,
    hours: (await readBusinessHours(ctx)) ?? officeHours(zone),
    zone,
    limit: MAX_PROPOSED_TIMES,
  });
  return {
    data: times.map(({ start, end }) => ({
      starts_at: new Date(start).toISOString(),
      ends_at: new Date(end).toISOString(),
    })),
    meta: {
      unknown: emails.filter((email) => !people.has(email.toLowerCase())),
      truncated: isTruncated,
    },
  };
}

/** From Monday to Friday, 09:00 to 17:00. */
function officeHours(timezone: string): BusinessHours {
  const open = [{ from: '09:00', to: '17:00' }];
  return {
    timezone,
    week: {
      monday: open,
      tuesday: open,
      wednesday: open,
      thursday: open,
      friday: open,
      saturday: [],
      sunday: [],
    },
    holidays: [],
  };
}
