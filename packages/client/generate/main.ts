import { writeFile } from 'node:fs/promises';
import { FOLDER, generated } from './generated.ts';

for (const [name, text] of Object.entries(await generated())) await writeFile(new URL(name, FOLDER), text);
