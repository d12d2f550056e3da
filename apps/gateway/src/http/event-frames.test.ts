import { type AppRouter, appRouter } from '@firmdesk/domain';
import { tracked, transformTRPCResponse } from '@trpc/server';
import { expect, test } from 'vitest';
import { frameOf, headOf } from './event-frames.ts';

const router: AppRouter = appRouter;
const data = { type: 'ticket.updated', ticket: { id: 'tkt_1', subject: 'Größe "L"', tags: [], unread: 0 } };

test.each([{ id: 1 }, { id: 'a"b' }, { id: 7, jsonrpc: '2.0' as const }])(
  'a frame for $id is the one that tRPC would send',
  (reference) => {
    const frame = frameOf(router, headOf(reference), tracked('12', data));
    const result = { type: 'data' as const, id: '12', data: { id: '12', data } };
    const whole = transformTRPCResponse(router._def._config, { ...reference, result });
    expect(JSON.parse(String(frame))).toEqual(JSON.parse(JSON.stringify(whole)));
  },
);

test('the frame of an event is made once for all subscriptions with the same id', () => {
  const event = tracked('12', data);
  const frame = frameOf(router, headOf({ id: 1 }), event);
  expect(frameOf(router, headOf({ id: 1 }), event)).toBe(frame);
  expect(frameOf(router, headOf({ id: 2 }), event)).not.toBe(frame);
  expect(frameOf(router, headOf({ id: 1 }), tracked('13', data))).not.toBe(frame);
});
