/** Removes the characters that PostgreSQL cannot store from a text: U+0000 and lone surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
