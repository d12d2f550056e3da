/** Returns a plain text in HTML: each line is a paragraph. */
export function htmlOfPlainText(text: string): string {
  return `<p>${escapeHtml(text).replaceAll('\n', '</p><p>')}</p>`;
}

/** Returns a text as a part of HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
