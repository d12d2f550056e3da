import { type PreparedDocument, prepareDocument } from './prepare-document.ts';
import { type InvitationReply, readReplies } from './read-replies.ts';

/** A `text/calendar` part of a mail with a REQUEST, CANCEL or REPLY (RFC 5546). */
export interface InvitationDocument extends PreparedDocument {
  isCancel: boolean;
  /** The answers in a REPLY, which has no `series`. */
  replies: InvitationReply[];
}

/** A `text/calendar` part of a mail, and the `method` of its Content-Type. */
export interface InvitationPart {
  text: string;
  method: string | null;
}

/** Reads a `text/calendar` part of a mail. Returns null for another METHOD. The Content-Type states it if the part does not. */
export function readInvitation(
  { text, method: stated }: InvitationPart,
  floatingZone: string,
  maxEvents: number,
): InvitationDocument | null {
  const attributes = { source: 'mail', status: 'pending' } as const;
  const document = prepareDocument(text, floatingZone, attributes, maxEvents);
  const method = document.method ?? stated?.toUpperCase();
  if (method === 'REPLY') {
    const replies = readReplies(text, floatingZone, maxEvents);
    return { ...document, isCancel: false, replies, series: [], refused: [] };
  }
  if (method !== 'REQUEST' && method !== 'CANCEL') return null;
  return { isCancel: method === 'CANCEL', replies: [], ...document };
}
