// Draws what `.dependency-cruiser.mjs` allows into CONTRIBUTING.md. `--check` writes nothing, and fails if the picture is out of date. Part of
// `pnpm verify`.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FEATURES } from '../.dependency-cruiser.mjs';

const GUIDE = new URL('../CONTRIBUTING.md', import.meta.url);
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const features = Object.entries(FEATURES).map(
  ([name, used]) => `    ${name}${used.length === 0 ? '' : ` --> ${used.join(' & ')}`}`,
);
const picture = `\`\`\`mermaid
flowchart LR
  app --> features --> procedures --> access --> platform
  subgraph features
${features.join('\n')}
  end
\`\`\``;
const text = readFileSync(GUIDE, 'utf8');
const drawn = text.replace(/```mermaid\n(?:[^`\n]*\n)*```/, picture);
if (!drawn.includes(picture)) throw new Error('CONTRIBUTING.md has no picture to replace');
if (!values.check) writeFileSync(GUIDE, drawn);
else if (drawn !== text) {
  process.stderr.write('The picture in CONTRIBUTING.md is out of date: run `node lint/draw-layers.ts`\n');
  process.exitCode = 1;
}
