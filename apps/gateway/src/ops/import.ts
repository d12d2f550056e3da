import { type ImportProgress, importFromFile } from '@firmdesk/seed';
import type { Command } from 'commander';
import { writePrivateFile } from '../installation/private-file.ts';
import { type OpsContext, positiveInteger } from './context.ts';

/** The shortest time between two lines of progress. */
const MIN_INTERVAL_MS = 1_000;

/** Adds the command `import`. */
export function importCommand(program: Command, ops: OpsContext): void {
  program
    .command('import')
    .description('Import a file, in one transaction unless --batch is given')
    .argument('<file>', 'import file (JSON)')
    .option('--out <file>', 'write the created tokens and ids to a file that only its owner can read')
    .option(
      '--batch <n>',
      'commit after every n records; after an interruption, the same command continues',
      positiveInteger,
    )
    .action(async (file: string, options: { out?: string; batch?: number }) => {
      const counts: Record<string, number> = {};
      const say = progressLines(ops);
      const imported = await importFromFile(await ops.services(), file, {
        batch: options.batch,
        onProgress(progress) {
          if (progress.phase === 'write') counts[progress.list] = progress.done;
          say(progress);
        },
        // Before the commit: otherwise a full disk would lose the tokens.
        async beforeCommit({ tokens, ids }) {
          if (options.out)
            await writePrivateFile(options.out, `${JSON.stringify({ tokens, ids }, null, 2)}\n`);
        },
      });
      for (const { path, messages } of imported.reports)
        for (const message of messages) ops.say(`${path}: ${message}`);
      const lines = Object.entries(counts).map(([list, count]) => `${list}: ${count}`);
      ops.print({ imported: counts }, lines.join('\n') || 'The file contains no records.');
    });
}

/** Returns a function that prints progress, at most one line a second. */
function progressLines(ops: OpsContext): (progress: ImportProgress) => void {
  let last = performance.now();
  return ({ phase, list, done, total, perSecond }) => {
    if (performance.now() - last < MIN_INTERVAL_MS) return;
    last = performance.now();
    ops.say(
      `${phase === 'check' ? 'Checking' : 'Writing'} ${list}: ${done} of ${total} (${perSecond} per second)`,
    );
  };
}
