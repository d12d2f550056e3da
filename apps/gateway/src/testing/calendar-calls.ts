import { expect } from 'vitest';
import type { TestGateway } from './test-gateway.ts';

export const meeting = {
  starts_at: '2026-11-23T09:00:00Z',
  ends_at: '2026-11-23T10:00:00Z',
  title: 'Meeting',
};

/** The procedures of calendars, called with a suite's token and calendar of the moment where no other is given. */
export function calendarCalls(
  gateway: Pick<TestGateway, 'rpc' | 'request'>,
  moment: () => { token: string; calendar: number },
) {
  const call = (name: string, body: object, bearer = moment().token) =>
    gateway.rpc(`calendar.${name}`, { token: bearer, body });
  const done = async (name: string, body: object, bearer = moment().token) => {
    const answer = await call(name, body, bearer);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  };
  return {
    call,
    done,
    /** The code of a refusal, and the field that it names; null where it is none. */
    async refused(name: string, body: object, bearer = moment().token) {
      const answer = await call(name, body, bearer);
      return answer.fields ? `${answer.code} ${answer.fields[0]?.path}` : answer.code;
    },
    create: async (over: object = {}) =>
      (await done('create', { calendar_id: moment().calendar, ...meeting, ...over })).id,
    /** The occurrences of November and December 2026. */
    async window(bearer = moment().token) {
      const answer = await gateway.request(
        'GET /v1/me/calendar/events?from=2026-11-01T00:00:00Z&until=2026-12-31T00:00:00Z',
        { token: bearer },
      );
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data;
    },
  };
}
