import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TicketSort } from '@firmdesk/contract';
import { ApiError } from '../platform/errors.ts';

const VERSION = 1;
const MAC_BYTES = 16;

/** The place of a row in a firm's list: the values it was sorted by, so that a row that moves or goes breaks no walk. */
export interface Place {
  sort: TicketSort;
  workspaceId: number;
  keys: readonly (string | number)[];
}

/** A place as an opaque text, sealed: what comes back is what was given out. */
export function sealCursor(secret: Buffer, { sort, workspaceId, keys }: Place): string {
  const payload = Buffer.from(JSON.stringify([VERSION, sort, workspaceId, ...keys]));
  return Buffer.concat([macOf(secret, payload), payload]).toString('base64url');
}

/**
 * The sort values of a cursor of this sort and firm. Raises `invalid_cursor` for one of another sort or firm, one that was
 * altered, and one that was never given out.
 */
export function openCursor(
  secret: Buffer,
  cursor: string,
  sort: TicketSort,
  workspaceId: number,
): (string | number)[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  const isSealed =
    bytes.length > MAC_BYTES &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(secret, payload));
  if (!isSealed) throw new ApiError('invalid_cursor');
  const [version, itsSort, itsWorkspace, ...keys] = JSON.parse(payload.toString());
  if (version !== VERSION || itsSort !== sort || itsWorkspace !== workspaceId) {
    throw new ApiError('invalid_cursor');
  }
  return keys;
}

function macOf(secret: Buffer, payload: Buffer): Buffer {
  return createHmac('sha256', secret).update('ticket cursor').update(payload).digest().subarray(0, MAC_BYTES);
}
