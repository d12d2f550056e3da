import { randomBytes } from 'node:crypto';
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

/** What the rendering of a wording knows. */
interface Filling {
  /** Returns the address of a link with its values. */
  toAddress(written: string): string;
}

markdown.renderer.rules['link_open'] = (tokens, at, options, env, renderer) => {
  const token = tokens[at]!;
  const { toAddress } = env as unknown as Filling;
  token.attrSet('href', toAddress(String(token.attrGet('href') ?? '')));
  return renderer.renderToken(tokens, at, options);
};

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
  // Words that nobody can write stand for the variables in Markdown, which has many ways to write brackets. The values come afterwards and cannot change it.
  const stem = `v${randomBytes(16).toString('hex')}x`;
  const names: string[] = [];
  const source = replaceMailVariables(lines.join('\n'), (name) => `${stem}${names.push(name) - 1}x`);
  const fillPlace = (place: string) => fill(names[Number(place)]!);
  const toAddress = (written: string) => {
    const [before, place, after] = written.split(new RegExp(`${stem}(\\d+)x`));
    if (place === undefined) return written;
    // An address that only contains a variable would take a person's link to another server.
    return before === '' && after === '' ? webAddress(fillPlace(place)) : '#';
  };
  const filled = markdown
    .render(source, { toAddress } satisfies Filling)
    .replace(new RegExp(`${stem}(\\d+)x`, 'g'), (_, place: string) =>
      escapeHtml(fillPlace(place)).replace(/\r?\n/g, '<br>\n'),
    );
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
function webAddress(value: string): string {
  return /^https?:\/\//i.test(value) ? value : '#';
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
