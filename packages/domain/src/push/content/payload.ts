/** Apple's limit for a payload. */
const MAX_BYTES = 4_096;
/** What is left of the 4,096 bytes that every push service takes for a browser, once they are encrypted (RFC 8291 §4). */
export const MAX_BROWSER_BYTES = 3_993;
/** The limit of the title, which leaves room for the body. */
const MAX_TITLE_BYTES = 1_024;
const ELLIPSIS = '…';

export interface Alert {
  title: string;
  body: string;
}

/** The content of a push (contract §6.1). All ids are strings; a link may be null. */
export interface PushContent {
  alert: Alert;
  /** Null: the payload has no badge, and the app keeps its own. */
  badge: number | null;
  threadId: string | null;
  fields: Record<string, string | null>;
}

/** Fields of unbounded length, which become null if the payload is too long. */
const LINKS = ['action_url', 'conference_url'];

/**
 * Returns the payload as JSON of at most 4,096 bytes, or fewer if they are given. A long body is cut first, then a long title, always between grapheme clusters. A
 * link that leaves no room for text becomes null.
 */
export function writePayload({ alert, badge, threadId, fields }: PushContent, maxBytes = MAX_BYTES): string {
  const remaining = { ...fields };
  const write = (title: string, body: string) =>
    JSON.stringify({
      aps: {
        alert: { title, body },
        ...(badge !== null && { badge }),
        sound: 'default',
        ...(threadId !== null && { 'thread-id': threadId }),
      },
      ...remaining,
    });
  // Fast path: nearly every payload fits.
  const whole = write(alert.title, alert.body);
  if (sizeOf(whole) <= maxBytes && jsonSize(alert.title) <= MAX_TITLE_BYTES) return whole;
  const title = cut(alert.title, MAX_TITLE_BYTES);
  for (const link of LINKS) {
    if (sizeOf(write(title, '')) > maxBytes && link in remaining) remaining[link] = null;
  }
  const room = maxBytes - sizeOf(write(title, ''));
  return write(title, cut(alert.body, room));
}

function sizeOf(json: string): number {
  return Buffer.byteLength(json);
}

/** Cuts a text with an ellipsis, so that it takes at most this many bytes as a JSON string without its quotes. */
function cut(text: string, bytes: number): string {
  // Each UTF-16 code unit takes at least one byte.
  const head = text.slice(0, bytes + 1);
  if (head === text && jsonSize(text) <= bytes) return text;
  let room = bytes - jsonSize(ELLIPSIS);
  let result = '';
  for (const { segment } of new Intl.Segmenter().segment(head)) {
    room -= jsonSize(segment);
    if (room < 0) break;
    result += segment;
  }
  return result === '' ? '' : result + ELLIPSIS;
}

function jsonSize(text: string): number {
  return sizeOf(JSON.stringify(text)) - 2;
}
