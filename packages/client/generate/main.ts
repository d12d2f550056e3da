import { writeFile } from 'node:fs/promises';
import { FOLDER, generateFiles } from './generated.ts';

for (const [name, text] of Object.entries(await generateFiles()))
  await writeFile(new URL(name, FOLDER), text);
