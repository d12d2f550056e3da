import { type ImportProgress, importWorldFile } from '@firmdesk/seed';
import type { Command } from 'commander';
import { writePrivateFile } from '../private-file.ts';
import { type OpsContext, wholeNumber } from './context.ts';

/** Lines of progress come at most so often. */
const PAUSE_MS = 1_000;

/** `import`: a world file into the database. */
export function importCommand(program: Command, ops: OpsContext): void {
  program
    .command('import')
    .description('import a world file: all of it, or nothing')
    .argument('<file>')
    .option('--out <file>', 'write the tokens and ids that were made, for the owner alone to read')
    .option(
      '--batch <n>',
      'commit after each so many records; started again, it goes on from there',
      wholeNumber,
    )
    .action(async (file: string, options: { out?: string; batch?: number }) => {
      const counts: Record<string, number> = {};
      const say = progressLines(ops);
      const imported = await importWorldFile(await ops.services(), file, {
        batch: options.batch,
        onProgress(progress) {
          if (progress.phase === 'write') counts[progress.list] = progress.done;
          say(progress);
        },
        // Before it holds: else a full disk would lose the tokens.
        async beforeCommit({ tokens, ids }) {
          if (options.out)
            await writePrivateFile(options.out, `${JSON.stringify({ tokens, ids }, null, 2)}\n`);
        },
      });
      for (const { path, messages } of imported.reports)
        for (const message of messages) ops.say(`${path}: ${message}`);
      const lines = Object.entries(counts).map(([list, count]) => `${list}: ${count}`);
      ops.print({ imported: counts }, lines.join('\n') || 'There is nothing in it.');
    });
}

/** A line a second at most. */
function progressLines(ops: OpsContext): (progress: ImportProgress) => void {
  let last = performance.now();
  return ({ phase, list, done, total, perSecond }) => {
    if (performance.now() - last < PAUSE_MS) return;
    last = performance.now();
    ops.say(
      `${phase === 'check' ? 'checking' : 'writing'} ${list}: ${done} of ${total}, ${perSecond} a second`,
    );
  };
}
