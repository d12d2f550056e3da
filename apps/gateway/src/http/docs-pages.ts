import type { AppRouter } from '@firmdesk/domain';
import MarkdownIt from 'markdown-it';
import { type Guide, guideNames, readGuide } from './docs-guides.ts';
import { tables } from './docs-tables.ts';

const markdown = new MarkdownIt({ html: false, linkify: false });
// Makes scrollable elements focusable with the keyboard, and gives headings an anchor.
const fence = markdown.renderer.rules.fence!;
markdown.renderer.rules.fence = (...args) => fence(...args).replace('<pre>', '<pre tabindex="0">');
markdown.renderer.rules.table_open = () =>
  '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';
markdown.renderer.rules.heading_open = (tokens, index) => {
  const { tag } = tokens[index]!;
  return `<${tag} id="${slugOf(tokens[index + 1]!.content)}">`;
};

/** Returns the start page, which lists the reference and the guides. */
export function indexPage(guides: readonly Guide[]): string {
  const entries = [
    {
      href: '/docs/reference',
      title: 'Reference',
      about: 'Every endpoint of /v1 with all its responses. You can send calls from the page.',
    },
    ...guides.map(({ name, title, about }) => ({ href: `/docs/guides/${name}`, title, about })),
  ];
  const list = entries.map(
    ({ href, title, about }) => `<li><a href="${href}">${inline(title)}</a><p>${inline(about)}</p></li>`,
  );
  return page(
    'Firmdesk for developers',
    `<h1>Firmdesk for developers</h1>
<p>Phone apps and other programs use REST under <code>/v1</code>. The console and the platform’s other systems call the same
procedures as typed RPC under <code>/trpc</code>, and subscribe to events over a websocket.</p>
<ul class="entries">${list.join('')}</ul>
<p>The OpenAPI 3.1 document: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>`,
  );
}

/** Returns the page of a guide. Replaces each line `{{name}}` by the table of that name, generated from the procedures. */
export function guidePage({ title, markdown: text }: Guide, procedures: AppRouter): string {
  const filled = text.replace(/^\{\{([\w-]+)\}\}$/gm, (line, name: string) => {
    const table = tables[name];
    if (!table) throw new Error(`No table is called ${line}.`);
    return table(procedures);
  });
  return page(title, markdown.render(filled));
}

function page(title: string, content: string): string {
  const links = [
    '<a href="/docs/">Firmdesk</a>',
    '<a href="/docs/reference">Reference</a>',
    ...guideNames.map((name) => `<a href="/docs/guides/${name}">${inline(readGuide(name).title)}</a>`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${inline(title).replace(/<[^>]+>/g, '')}</title>
  <link rel="stylesheet" href="/docs/docs.css">
  <link rel="icon" href="/docs/assets/favicon-32x32.png">
</head>
<body>
  <nav aria-label="Guides">${links.join('\n')}</nav>
  <main>
${content}
  </main>
</body>
</html>
`;
}

export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Firmdesk: the /v1 reference</title>
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  <link rel="icon" href="/docs/assets/favicon-32x32.png">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/assets/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

function inline(text: string): string {
  return markdown.renderInline(text);
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
}
