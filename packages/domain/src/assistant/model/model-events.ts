import { createParser } from 'eventsource-parser';

/** An event of a model's stream. */
export interface ModelEvent {
  /** `message` by default. */
  name: string;
  data: string;
  /** Whether it is the whole answer, of an endpoint that does not stream. */
  isWhole: boolean;
}

/** The longest event of the stream, in UTF-16 units. One with a token has a few hundred. */
const MAX_EVENT_LENGTH = 1_000_000;
/** The longest answer, in UTF-16 units. One with all tokens that a reply may have, and long thoughts, has a few millions. */
const MAX_ANSWER_LENGTH = 20_000_000;

/**
 * Yields the server-sent events (HTML Living Standard, 9.2) of each piece of an answer; none for a piece of an event or a comment,
 * which still says that the endpoint is alive. A body that is JSON instead is one event.
 */
export async function* readModelEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent[]> {
  const decoder = new TextDecoder();
  let events: ModelEvent[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ event = 'message', data }) => void events.push({ name: event, data, isWhole: false }),
    onError(error) {
      // Lines that are not of the format are ignored, as in browsers.
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  /** The body so far while it may be JSON; null if it is a stream of events. */
  let json: string | null = '';
  let length = 0;
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    length += text.length;
    if (length > MAX_ANSWER_LENGTH) throw new RangeError('The answer is too long.');
    if (json !== null) json += text;
    if (json !== null && !/^\s*(?:[{[]|$)/.test(json)) {
      parser.feed(json);
      json = null;
    } else if (json === null) parser.feed(text);
    else if (json.length > MAX_EVENT_LENGTH) throw new RangeError('The answer is too long.');
    yield events;
    events = [];
  }
  // The last event of some endpoints lacks its empty line.
  if (json === null) parser.feed('\n\n');
  else if (json !== '') events.push({ name: 'message', data: json, isWhole: true });
  yield events;
}
