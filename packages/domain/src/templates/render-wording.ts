import { mailVariablesIn, replaceMailVariables } from '@firmdesk/contract';
import MarkdownIt from 'markdown-it';
import { textOfMessage } from '../platform/process/text-of-message.ts';
import type { Wording } from './default-wordings.ts';

/** The values of variables. One without a value is null. */
export type Values = Readonly<Record<string, string | null>>;

/** A mail as it is sent. */
export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** HTML in a wording is shown as text, and pictures are not loaded. A row of a table can have a thousand times the cells that are written. */
const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true }).disable(['image', 'table']);

/** A variable in the address of a link, which Markdown encodes. What is inside cannot begin another one, so that a text of brackets takes linear time. */
const IN_ADDRESS = /%7B%7B((?:\w|%20)*)%7D%7D/g;

/**
 * Writes a mail: the wording with values, which are text and never HTML or Markdown. A line of which a variable has no value is left out. `logo` is the
 * URL of the firm's.
 */
export function renderWording(
  { subject, text }: Wording,
  language: string,
  values: Values,
  logo: string | null = null,
): RenderedMail {
  const fill = (name: string) => values[name] ?? '';
  const lines = text
    .split('\n')
    .filter((line) => mailVariablesIn(line).every(({ name }) => fill(name) !== ''));
  // First the Markdown, then the values, which therefore cannot change it.
  const content = markdown
    .render(lines.join('\n'))
    .replace(IN_ADDRESS, (_, name: string) => toAddress(fill(name.replaceAll('%20', ''))));
  const filled = replaceMailVariables(content, (name) => escapeHtml(fill(name)).replace(/\r?\n/g, '<br>\n'));
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:15px;line-height:1.5;color:#1a1a1a">
<div style="max-width:600px">
${logo === null ? '' : `<p><img src="${escapeHtml(logo)}" alt="${escapeHtml(values['firm_name'] ?? '')}" style="display:block;max-width:240px;max-height:64px"></p>\n`}${filled}</div>
</body>
</html>`;
  return {
    subject: replaceMailVariables(subject, fill).replace(/\s+/g, ' ').trim(),
    html,
    text: textOfMessage(html),
  };
}

/** Only web addresses are links. */
function toAddress(value: string): string {
  return /^https?:\/\//i.test(value) ? escapeHtml(value) : '#';
}

function escapeHtml(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // Otherwise a value could name another variable.
      .replaceAll('{', '&#123;')
  );
}
