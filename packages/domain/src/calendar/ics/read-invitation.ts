import { type PreparedDocument, prepareDocument } from './prepare-document.ts';

/** A `text/calendar` part of a mail with a REQUEST or CANCEL (RFC 5546). */
export interface InvitationDocument extends PreparedDocument {
  isCancel: boolean;
}

/** Reads a `text/calendar` part of a mail. Returns null for a METHOD other than REQUEST and CANCEL. */
export function readInvitation(
  text: string,
  floatingZone: string,
  maxEvents: number,
): InvitationDocument | null {
  const method = /^METHOD:\s*(REQUEST|CANCEL)\s*$/im.exec(text)?.[1]?.toUpperCase();
  if (!method) return null;
  const attributes = { source: 'mail', status: 'pending' } as const;
  return { isCancel: method === 'CANCEL', ...prepareDocument(text, floatingZone, attributes, maxEvents) };
}
