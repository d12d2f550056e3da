/** Apple's limit, in bytes. */
const MAX_BYTES = 4_096;
/** Of the title, which leaves the body its room. */
const MAX_TITLE_BYTES = 1_024;
const ELLIPSIS = '…';

export interface Alert {
  title: string;
  body: string;
}

/** What a notification carries (contract §6.1). All ids are texts; a link may be null. */
export interface PushContent {
  alert: Alert;
  badge: number | null;
  threadId: string | null;
  fields: Record<string, string | null>;
}

/** The fields that may be left out of a payload too long, for they can be as long as anything. */
const LINKS = ['action_url', 'conference_url'];

/**
 * The payload as JSON of at most 4,096 bytes: a long text is cut between two of what a reader takes for characters, its
 * body before its title; a link that leaves no room for any text becomes null.
 */
export function writePayload({ alert, badge, threadId, fields }: PushContent): string {
  const given = { ...fields };
  const write = (title: string, body: string) =>
    JSON.stringify({
      aps: {
        alert: { title, body },
        ...(badge !== null && { badge }),
        sound: 'default',
        ...(threadId !== null && { 'thread-id': threadId }),
      },
      ...given,
    });
  // Nearly every one fits, and is written once.
  const whole = write(alert.title, alert.body);
  if (sizeOf(whole) <= MAX_BYTES && written(alert.title) <= MAX_TITLE_BYTES) return whole;
  const title = cut(alert.title, MAX_TITLE_BYTES);
  for (const link of LINKS) {
    if (sizeOf(write(title, '')) > MAX_BYTES && link in given) given[link] = null;
  }
  const room = MAX_BYTES - sizeOf(write(title, ''));
  return write(title, cut(alert.body, room));
}

function sizeOf(json: string): number {
  return Buffer.byteLength(json);
}

/** The text, or as much of its beginning as takes so many bytes inside JSON, with an ellipsis. */
function cut(text: string, bytes: number): string {
  // Each of its units takes a byte at least.
  const head = text.slice(0, bytes + 1);
  if (head === text && written(text) <= bytes) return text;
  let room = bytes - written(ELLIPSIS);
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(head)) {
    room -= written(segment);
    if (room < 0) break;
    kept += segment;
  }
  return kept === '' ? '' : kept + ELLIPSIS;
}

function written(text: string): number {
  return sizeOf(JSON.stringify(text)) - 2;
}
