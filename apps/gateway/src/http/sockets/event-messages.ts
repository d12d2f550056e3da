import type { AppRouter } from '@firmdesk/domain';
import { type TrackedEnvelope, transformTRPCResponse } from '@trpc/server';
import type { TRPCResponseMessage } from '@trpc/server/rpc';

/** One event: its result as JSON, and the message by the head of its subscription. */
interface Serialized {
  result: string;
  byHead: Map<string, Buffer>;
}

/** Returns the first part of all messages of a subscription. It contains the id that the client gave it. */
export function headOf({ id, jsonrpc }: Pick<TRPCResponseMessage, 'id' | 'jsonrpc'>): string {
  return `${JSON.stringify({ id, jsonrpc }).slice(0, -1)},"result":`;
}

/**
 * The messages of the events that a process sends. All subscriptions to a topic receive the same event object, so it is serialized once, and
 * subscriptions with the same id share the bytes.
 */
export class EventMessages {
  readonly #router: AppRouter;
  readonly #serialized = new WeakMap<TrackedEnvelope<unknown>, Serialized>();

  constructor(router: AppRouter) {
    this.#router = router;
  }

  messageOf(head: string, event: TrackedEnvelope<unknown>): Buffer {
    let serialized = this.#serialized.get(event);
    if (!serialized) {
      const [id, data] = event;
      const response: TRPCResponseMessage = { id: null, result: { type: 'data', id, data: { id, data } } };
      const { result } = transformTRPCResponse(this.#router._def._config, response) as typeof response;
      serialized = { result: JSON.stringify(result), byHead: new Map() };
      this.#serialized.set(event, serialized);
    }
    let message = serialized.byHead.get(head);
    if (!message) {
      message = Buffer.from(`${head}${serialized.result}}`);
      serialized.byHead.set(head, message);
    }
    return message;
  }
}
