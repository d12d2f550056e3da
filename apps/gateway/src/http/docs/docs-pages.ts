import type { AppRouter } from '@firmdesk/domain';
import type { Guide } from './docs-guides.ts';
import { inline, layout, markdown, setupText, slugOf } from './docs-layout.ts';
import { tables } from './docs-tables.ts';

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
  return layout({
    title: 'Firmdesk for developers',
    kind: 'guide',
    content: `<h1>Firmdesk for developers</h1>
<p>Phone apps and other programs use REST under <code>/v1</code>. The console and the platform’s other systems call the same
procedures as typed RPC under <code>/trpc</code>, and subscribe to events over a websocket.</p>
<ul class="entries">${list.join('')}</ul>
<p>The OpenAPI 3.1 document: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>`,
  });
}

/** Returns the page on which Scalar shows the reference. A token that is entered there stays in the page. */
export function referencePage(): string {
  return layout({
    title: 'Reference',
    kind: 'reference',
    content: `<form id="token" aria-label="Token of the calls">
  <label>Token <input name="token" type="password" autocomplete="off" placeholder="fd_live_…"></label>
  <p role="status" id="identity">Enter a token to send calls from this page. It stays in this page until you close it.</p>
</form>
<noscript>The reference needs JavaScript. Without it, read <a href="/v1/openapi.json">the OpenAPI document</a>.</noscript>
<div id="reference"></div>`,
  });
}

/** Returns the page of a guide. Replaces each line `{{name}}` by the table of that name, generated from the procedures. */
export function guidePage(
  { title, markdown: text }: Guide,
  procedures: AppRouter,
  publicUrl: string,
): string {
  const filled = text.replace(/^\{\{([\w-]+)\}\}$/gm, (line, name: string) => {
    const table = tables[name];
    if (!table) throw new Error(`No table is called ${line}.`);
    return table(procedures);
  });
  return layout({ title, kind: 'guide', content: markdown.render(withSetup(filled, publicUrl)) });
}

/** Adds the definitions of the variables that a guide's commands use, below its summary. */
function withSetup(text: string, publicUrl: string): string {
  if (!/^\$ .*\$(URL|TOKEN)/m.test(text)) return text;
  const [title, about, ...rest] = text.split('\n\n');
  return [title, about, setupText(publicUrl), ...rest].join('\n\n');
}
