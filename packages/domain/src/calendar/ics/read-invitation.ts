import { type PreparedDocument, prepareDocument } from './prepare-document.ts';

/** A `text/calendar` part of a mail with a REQUEST or CANCEL (RFC 5546). */
export interface InvitationDocument extends PreparedDocument {
  isCancel: boolean;
}

/** A `text/calendar` part of a mail, and the `method` of its Content-Type. */
export interface InvitationPart {
  text: string;
  method: string | null;
}

/** Reads a `text/calendar` part of a mail. Returns null for a METHOD other than REQUEST and CANCEL. The Content-Type states it if the part does not. */
export function readInvitation(
  { text, method: stated }: InvitationPart,
  floatingZone: string,
  maxEvents: number,
): InvitationDocument | null {
  const attributes = { source: 'mail', status: 'pending' } as const;
  const document = prepareDocument(text, floatingZone, attributes, maxEvents);
  const method = document.method ?? stated?.toUpperCase();
  if (method !== 'REQUEST' && method !== 'CANCEL') return null;
  return { isCancel: method === 'CANCEL', ...document };
}
