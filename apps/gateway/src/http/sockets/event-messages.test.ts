import { type AppRouter, appRouter } from '@firmdesk/domain';
import { tracked, transformTRPCResponse } from '@trpc/server';
import { expect, test } from 'vitest';
import { EventMessages, headOf } from './event-messages.ts';

const router: AppRouter = appRouter;
const messages = new EventMessages(router);
const data = { type: 'ticket.updated', ticket: { id: 'tkt_1', subject: 'Größe "L"', tags: [], unread: 0 } };

test.each([{ id: 1 }, { id: 'a"b' }, { id: 7, jsonrpc: '2.0' as const }])(
  'a message for $id is the one that tRPC would send',
  (reference) => {
    const message = messages.messageOf(headOf(reference), tracked('12', data));
    const result = { type: 'data' as const, id: '12', data: { id: '12', data } };
    const whole = transformTRPCResponse(router._def._config, { ...reference, result });
    expect(message.toString()).toBe(JSON.stringify(whole));
  },
);

test('the message of an event is made once for all subscriptions with the same id', () => {
  const event = tracked('12', data);
  const message = messages.messageOf(headOf({ id: 1 }), event);
  expect(messages.messageOf(headOf({ id: 1 }), event)).toBe(message);
  expect(messages.messageOf(headOf({ id: 2 }), event)).not.toBe(message);
  expect(messages.messageOf(headOf({ id: 1 }), tracked('13', data))).not.toBe(message);
});
