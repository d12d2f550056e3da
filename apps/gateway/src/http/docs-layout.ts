import MarkdownIt from 'markdown-it';
import { guideNames, readGuide } from './docs-guides.ts';

export const markdown = new MarkdownIt({ html: false, linkify: false });

export interface Page {
  title: string;
  /** A class of the body, for its style. */
  kind: 'guide' | 'reference';
  content: string;
  /** The path of a script of the page. */
  script?: string;
}

/** Returns a whole page, with the navigation and the search. */
export function layout({ title, kind, content, script }: Page): string {
  const links = [
    '<a href="/docs/">Firmdesk</a>',
    '<a href="/docs/reference">Reference</a>',
    ...guideNames.map((name) => `<a href="/docs/guides/${name}">${inline(readGuide(name).title)}</a>`),
  ];
  const scripts = ['/docs/search.js', ...(script ? [script] : [])].map(
    (src) => `<script type="module" src="${src}"></script>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${inline(title).replace(/<[^<>]+>/g, '')}</title>
  <link rel="stylesheet" href="/docs/docs.css">
  <link rel="icon" href="/docs/icon.svg">
  ${scripts.join('\n  ')}
</head>
<body class="${kind}">
  <header>
    <nav aria-label="Guides">${links.join('\n')}</nav>
    <form role="search" id="search">
      <input type="search" name="q" aria-label="Search the documentation" placeholder="Search" autocomplete="off">
      <ul id="found" aria-label="Search results" hidden></ul>
    </form>
  </header>
  <main>
${content}
  </main>
</body>
</html>
`;
}

export function inline(text: string): string {
  return markdown.renderInline(text);
}

export function escapeHtml(text: string): string {
  return markdown.utils.escapeHtml(text);
}

/** Returns the id of a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** A shell function that prints a UUID: macOS has `uuidgen`, and every Linux has the file. */
export const UUID_FUNCTION = 'uuid() { uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid; }';

/** Returns the definitions of the variables that commands use, as Markdown. */
export function setupText(publicUrl: string): string {
  return `The commands use \`$URL\`, \`$TOKEN\` and \`uuid\`. Set them once, in bash or zsh, on macOS or Linux:

\`\`\`sh
URL=${publicUrl}
TOKEN=fd_live_…      # your token
${UUID_FUNCTION}
\`\`\``;
}
