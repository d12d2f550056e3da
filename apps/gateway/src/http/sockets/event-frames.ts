import type { AppRouter } from '@firmdesk/domain';
import { type TrackedEnvelope, transformTRPCResponse } from '@trpc/server';
import type { TRPCResponseMessage } from '@trpc/server/rpc';

/** The frames of one event: its result as JSON, and the frame by the head of its subscription. */
interface Frames {
  result: string;
  byHead: Map<string, Buffer>;
}

/** The first byte of a text message in one frame (RFC 6455 §5.2). */
const FINAL_TEXT = 0x81;

/** Returns the first part of all frames of a subscription. It contains the id that the client gave it. */
export function headOf({ id, jsonrpc }: Pick<TRPCResponseMessage, 'id' | 'jsonrpc'>): string {
  return `${JSON.stringify({ id, jsonrpc }).slice(0, -1)},"result":`;
}

/**
 * The frames of the events that a process sends. All subscriptions to a topic receive the same event object, so it is serialized once, and
 * subscriptions with the same id share the bytes.
 */
export class EventFrames {
  readonly #router: AppRouter;
  readonly #framesOf = new WeakMap<TrackedEnvelope<unknown>, Frames>();

  constructor(router: AppRouter) {
    this.#router = router;
  }

  frameOf(head: string, event: TrackedEnvelope<unknown>): Buffer {
    let frames = this.#framesOf.get(event);
    if (!frames) {
      const [id, data] = event;
      const message: TRPCResponseMessage = { id: null, result: { type: 'data', id, data: { id, data } } };
      const { result } = transformTRPCResponse(this.#router._def._config, message) as typeof message;
      frames = { result: JSON.stringify(result), byHead: new Map() };
      this.#framesOf.set(event, frames);
    }
    let frame = frames.byHead.get(head);
    if (!frame) {
      frame = textFrame(`${head}${frames.result}}`);
      frames.byHead.set(head, frame);
    }
    return frame;
  }
}

/** Returns a text message as the bytes that the server writes to the connection: without a mask, in one frame. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = headerOf(length);
  const frame = Buffer.allocUnsafe(header.length + length);
  header.copy(frame);
  frame.write(text, header.length);
  return frame;
}

function headerOf(length: number): Buffer {
  if (length < 126) return Buffer.from([FINAL_TEXT, length]);
  if (length < 65_536) return Buffer.from([FINAL_TEXT, 126, length >> 8, length & 0xff]);
  const header = Buffer.from([FINAL_TEXT, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUIntBE(length, 4, 6);
  return header;
}
