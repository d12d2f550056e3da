import { storableText } from '../platform/storable-text.ts';

/** Returns a text without line breaks and control characters, at most `limit` characters of it. */
export function oneLine(text: string | undefined, limit: number): string {
  return storableText(
    (text ?? '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, limit),
  );
}
