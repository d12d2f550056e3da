import { createInterface } from 'node:readline/promises';

/** Asks the operator to type a word. Throws if it is not typed, or if there is no terminal to ask at. */
export async function confirm(warning: string, word: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Error(`${warning} Add --yes to confirm.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${warning} Type "${word}" to confirm: `);
    if (answer.trim() !== word) throw new Error('Not confirmed: nothing was changed.');
  } finally {
    terminal.close();
  }
}
