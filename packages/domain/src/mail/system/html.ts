const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns a text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** A line of a mail: a label and its value, which can be a link. */
export interface MailLine {
  label: string;
  value: string;
  url?: string;
}

/** Returns the text and the HTML of a short mail: a heading, lines, a text of a person, and a note at the end. */
export function shortMail({
  heading,
  lines,
  body,
  note,
}: {
  heading: string;
  lines: readonly MailLine[];
  body: string | null;
  note: string;
}): { text: string; html: string } {
  const text = [
    heading,
    '',
    ...lines.map(({ label, value, url }) => `${label}: ${url ?? value}`),
    ...(body ? ['', body] : []),
    '',
    '-- ',
    note,
    '',
  ].join('\n');
  const rows = lines.map(({ label, value, url }) => {
    const shown = escapeHtml(value);
    const cell = url === undefined ? shown : `<a href="${escapeHtml(url)}">${shown}</a>`;
    return `<p style="margin:4px 0"><strong>${escapeHtml(label)}:</strong> ${cell}</p>`;
  });
  const html = `<div style="font-family:sans-serif;font-size:15px;line-height:1.5">
<h2 style="font-size:18px;margin:0 0 12px">${escapeHtml(heading)}</h2>
${rows.join('\n')}
${body ? `<p style="white-space:pre-line;margin:12px 0">${escapeHtml(body)}</p>` : ''}
<p style="color:#666;font-size:13px;margin-top:20px">${escapeHtml(note)}</p>
</div>`;
  return { text, html };
}
