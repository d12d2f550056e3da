import MarkdownIt from 'markdown-it';
import { guideNames, readGuide } from './docs-guides.ts';

export const markdown = new MarkdownIt({ html: false, linkify: false });

export interface Page {
  title: string;
  kind: 'guide' | 'reference';
  content: string;
}

const scripts: Record<Page['kind'], readonly string[]> = {
  guide: ['/docs/search.js'],
  reference: ['/docs/assets/scalar.js', '/docs/reference.js'],
};

const search = `<form role="search" id="search">
      <input type="search" name="q" aria-label="Search the documentation" placeholder="Search" autocomplete="off">
      <ul id="found" aria-label="Search results" hidden></ul>
    </form>`;

/** Returns a whole page, with the navigation. A guide has our search; Scalar brings its own, with the page's `header` and `main`. */
export function layout({ title, kind, content }: Page): string {
  const links = [
    '<a href="/docs/">Firmdesk</a>',
    '<a href="/docs/reference">Reference</a>',
    ...guideNames.map((name) => `<a href="/docs/guides/${name}">${inline(readGuide(name).title)}</a>`),
  ];
  const navigation = `<nav aria-label="Guides">${links.join('\n')}</nav>`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${inline(title).replace(/<[^<>]+>/g, '')}</title>
  <link rel="stylesheet" href="/docs/docs.css">
  <link rel="icon" href="/docs/icon.svg">
  ${scripts[kind].map((src) => `<script type="module" src="${src}"></script>`).join('\n  ')}
</head>
<body class="${kind}">
${kind === 'guide' ? `<header class="top">${navigation}${search}</header>\n<main>${content}</main>` : `<div class="top">${navigation}</div>\n${content}`}
</body>
</html>
`;
}

export function inline(text: string): string {
  return markdown.renderInline(text);
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
