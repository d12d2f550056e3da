import { expect } from 'vitest';
import { createEvents } from '../data/calendar.ts';
import type { TestGateway } from './test-gateway.ts';

/** The required fields of an event, for `create`. */
export const meeting = {
  starts_at: '2026-11-23T09:00:00Z',
  ends_at: '2026-11-23T10:00:00Z',
  title: 'Meeting',
};

/** Returns functions that call the calendar procedures, by default with the suite's current token and calendar. */
export function calendarCalls(
  gateway: Pick<TestGateway, 'rpc' | 'request'>,
  current: () => { token: string; calendar: number },
) {
  const call = (name: string, body: object, bearer = current().token) =>
    gateway.rpc(`calendar.${name}`, { token: bearer, body });
  const done = async (name: string, body: object, bearer = current().token) => {
    const response = await call(name, body, bearer);
    expect(response.status, response.text).toBe(200);
    return response.data;
  };
  return {
    call,
    /** Calls a procedure, asserts that it succeeds, and returns its output. */
    done,
    /** Returns the error code and the invalid field of a call, or null if it succeeds. */
    async refused(name: string, body: object, bearer = current().token) {
      const response = await call(name, body, bearer);
      return response.fields ? `${response.code} ${response.fields[0]?.path}` : response.code;
    },
    create: async (over: object = {}) =>
      (await done('create', { calendar_id: current().calendar, ...meeting, ...over })).id,
    /** Returns the occurrences of November and December 2026. */
    async window(bearer = current().token) {
      const response = await gateway.request(
        'GET /v1/me/calendar/events?from=2026-11-01T00:00:00Z&until=2026-12-31T00:00:00Z',
        { token: bearer },
      );
      expect(response.status, response.text).toBe(200);
      return response.body.data;
    },
  };
}

type EventInput = Parameters<typeof createEvents>[1][number];

/** Returns functions that create events and ask for windows of them, by default with the suite's current token and calendar. */
export function windowCalls(gateway: TestGateway, current: () => { token: string; calendar: number }) {
  const ask = (query: Record<string, string> | string, bearer = current().token) =>
    gateway.request(`GET /v1/me/calendar/events?${new URLSearchParams(query)}`, { token: bearer });
  const list = async (from: string, until: string, bearer = current().token) =>
    (await ask({ from, until }, bearer)).body.data;
  return {
    create: (...events: Omit<EventInput, 'calendar_id'>[]) =>
      createEvents(
        gateway.services,
        events.map((event) => ({ calendar_id: current().calendar, ...event })),
      ),
    ask,
    list,
    november: (bearer = current().token) => list('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', bearer),
  };
}
