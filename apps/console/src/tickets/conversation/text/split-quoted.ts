/**
 * Divides the text of a mail into what its author wrote and what it quotes at its end, with the line that introduces the quotation. A text that only
 * quotes is not divided.
 */
export function splitQuoted(text: string): { written: string; quoted: string } {
  const lines = text.split('\n');
  let end = lines.length;
  while (end > 0 && (lines[end - 1]!.startsWith('>') || lines[end - 1]!.trim() === '')) end--;
  const quotes = lines.slice(end).some((line) => line.startsWith('>'));
  // "On Monday, Kim wrote:", which mail programs put on one line or on two.
  let start = end;
  if (quotes && end > 0 && lines[end - 1]!.trimEnd().endsWith(':')) {
    start = end - 1;
    if (start > 0 && lines[start - 1]!.trim() !== '') start--;
  }
  const written = lines.slice(0, start).join('\n').trimEnd();
  if (!quotes || written === '') return { written: text, quoted: '' };
  return { written, quoted: lines.slice(start).join('\n').trim() };
}
