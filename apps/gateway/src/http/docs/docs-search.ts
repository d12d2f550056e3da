import type { Guide } from './docs-guides.ts';
import { markdown, slugOf } from './docs-layout.ts';
import type { Json } from './document-components.ts';

/** A part of a page that the search can find. */
export interface SearchSection {
  href: string;
  title: string;
  /** The title of its page. */
  page: string;
  text: string;
}

/** Returns the sections of the guides, one per heading, and the operations of the reference. */
export function searchSections(guides: readonly Guide[], document: Json): SearchSection[] {
  return [...guides.flatMap(sectionsOf), ...operations(document)];
}

function sectionsOf({ name, title, markdown: source }: Guide): SearchSection[] {
  const sections: SearchSection[] = [];
  const tokens = markdown.parse(source, {});
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = tokens[at + 1]!.content;
      const href = `/docs/guides/${name}${token.tag === 'h1' ? '' : `#${slugOf(heading)}`}`;
      sections.push({ href, title: heading, page: title, text: '' });
    } else if (token.type === 'inline' || token.type === 'fence')
      sections.at(-1)!.text += ` ${token.content}`;
  }
  return sections;
}

function operations(document: Json): SearchSection[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      // Scalar's anchor of the operation.
      href: `/docs/reference#tag/${String((operation['tags'] as string[])[0]).toLowerCase()}/${String(operation['operationId'])}`,
      title: String(operation['summary']),
      page: 'Reference',
      text: `${method.toUpperCase()} ${path} ${String(operation['description'] ?? '')}`,
    })),
  );
}
