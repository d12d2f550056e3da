import { type ReadDocument, readSeries } from './read-series.ts';

/** A `text/calendar` part of a mail with a REQUEST or CANCEL (RFC 5546). */
export interface InvitationDocument extends ReadDocument {
  isCancel: boolean;
}

/** Reads a `text/calendar` part of a mail. Returns null for a METHOD other than REQUEST and CANCEL. */
export function readInvitation(text: string, floating: string, maxEvents: number): InvitationDocument | null {
  const method = /^METHOD:\s*(REQUEST|CANCEL)\s*$/im.exec(text)?.[1]?.toUpperCase();
  if (!method) return null;
  const into = { source: 'mail', status: 'pending' } as const;
  return { isCancel: method === 'CANCEL', ...readSeries(text, floating, into, maxEvents) };
}
