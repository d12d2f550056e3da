import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { TicketSort } from '@firmdesk/contract';
import { ApiError } from '../../platform/process/errors.ts';

const VERSION = 1;
const MAC_BYTES = 16;

/** A row's position in a firm's list: its sort values. So paging continues even if the row itself moves or is deleted. */
export interface CursorPosition {
  sort: TicketSort;
  workspaceId: number;
  keys: readonly (string | number)[];
}

/** Returns a position as opaque text with a MAC, which only this installation can make. */
export function sealCursor(secret: KeyObject, { sort, workspaceId, keys }: CursorPosition): string {
  const payload = Buffer.from(JSON.stringify([VERSION, sort, workspaceId, ...keys]));
  return Buffer.concat([macOf(secret, payload), payload]).toString('base64url');
}

/**
 * Returns the sort values of a cursor; null if another secret made it, or it was altered. Throws `invalid_cursor` for a cursor of
 * another sort or firm.
 */
export function openCursor(
  secret: KeyObject,
  cursor: string,
  sort: TicketSort,
  workspaceId: number,
): (string | number)[] | null {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  const isGenuine =
    bytes.length > MAC_BYTES &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(secret, payload));
  if (!isGenuine) return null;
  const [version, cursorSort, cursorWorkspace, ...keys] = JSON.parse(payload.toString());
  if (version !== VERSION || cursorSort !== sort || cursorWorkspace !== workspaceId) {
    throw new ApiError('invalid_cursor');
  }
  return keys;
}

const PURPOSE = 'ticket cursor';

function macOf(secret: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', secret).update(PURPOSE).update(payload).digest().subarray(0, MAC_BYTES);
}
