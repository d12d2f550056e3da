import { oneLine as toOneLine } from '@firmdesk/contract';
import { storableText } from '../../platform/database/storable-text.ts';

/** Returns a text of a stranger as one line without bidi controls, at most `limit` characters of it. */
export function oneLine(text: string | undefined | null, limit: number): string {
  return storableText(toOneLine(text ?? '').slice(0, limit));
}
