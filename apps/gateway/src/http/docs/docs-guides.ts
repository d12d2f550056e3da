import { readFileSync } from 'node:fs';

/** The guides in reading order. */
export const guideNames = [
  'quickstart',
  'tokens-and-scopes',
  'testing',
  'idempotency-and-retries',
  'pages',
  'errors',
  'limits',
  'web-pages',
  'live-streams',
  'push',
  'platform-procedures',
  'running',
  'deprecation',
  'changelog',
] as const;
export type GuideName = (typeof guideNames)[number];

/** A guide: `# Title`, a summary paragraph, and the rest. */
export interface Guide {
  name: GuideName;
  title: string;
  about: string;
  markdown: string;
}

/** Reads a guide from `apps/gateway/guides`. */
export function readGuide(name: GuideName): Guide {
  const markdown = readFileSync(new URL(`../../../guides/${name}.md`, import.meta.url), 'utf8');
  const [title, about] = markdown.split('\n\n');
  return { name, title: title!.replace(/^# /, ''), about: about!.replaceAll('\n', ' '), markdown };
}
