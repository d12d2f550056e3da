import type { Attendance } from './attendance.ts';

/*
 * A process announces all its attendances of a firm at once, in parts that fit into a notification of PostgreSQL: at most 8,000 bytes.
 */

const MAX_PART_BYTES = 7_500;
const MAX_NAME_LENGTH = 60;

type Encoded = [userId: string, name: string, subject: string, isActive: 0 | 1];

/** Returns the parts of an announcement; one empty part for no attendances. */
export function encodeAttendances(attendances: readonly Attendance[]): string[] {
  const parts: string[] = [];
  let items: string[] = [];
  let bytes = 0;
  for (const { userId, name, subject, isActive } of attendances) {
    const encoded: Encoded = [userId, name.slice(0, MAX_NAME_LENGTH), subject, isActive ? 1 : 0];
    const item = JSON.stringify(encoded);
    const size = Buffer.byteLength(item) + 1;
    if (bytes + size > MAX_PART_BYTES) {
      parts.push(`[${items.join(',')}]`);
      items = [];
      bytes = 0;
    }
    items.push(item);
    bytes += size;
  }
  return [...parts, `[${items.join(',')}]`];
}

/** Returns an announcement, `are:PROCESS:FIRM:INDEX:PARTS:JSON`; null if it is malformed: another version may write another form. */
export function parseAnnouncement(signal: string) {
  const [, , workspaceId, index, parts] = signal.split(':', 5);
  const start = signal.indexOf('[');
  try {
    const attendances = (JSON.parse(signal.slice(start)) as Encoded[]).map(
      ([userId, name, subject, isActive]): Attendance => ({
        userId,
        name,
        subject,
        isActive: isActive === 1,
      }),
    );
    return { workspaceId: Number(workspaceId), index: Number(index), parts: Number(parts), attendances };
  } catch {
    return null;
  }
}
