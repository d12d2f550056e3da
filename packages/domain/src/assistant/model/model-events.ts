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
  /** The first letter of the body. */
  let first = '';
  /** The body so far while it may be JSON, in pieces: a text that grows would be copied for each. */
  const pieces: string[] = [];
  let length = 0;
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    length += text.length;
    if (length > MAX_ANSWER_LENGTH) throw new RangeError('The answer is too long.');
    first ||= text.trimStart().charAt(0);
    pieces.push(text);
    if (!['', '{', '['].includes(first)) parser.feed(pieces.splice(0).join(''));
    else if (length > MAX_EVENT_LENGTH) throw new RangeError('The answer is too long.');
    yield events;
    events = [];
  }
  const whole = pieces.join('');
  // The last event of some endpoints lacks its empty line.
  if (whole === '') parser.feed('\n\n');
  else events.push({ name: 'message', data: whole, isWhole: true });
  yield events;
}
