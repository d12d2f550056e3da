import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { breakingChanges, folderOf, mayBreak, published, report, reportOf } from './api-report.ts';

/** Writes the reports of the packages' types. Fails on a breaking change without a new version or changeset. */
for (const name of published) {
  execFileSync('npx', ['--yes', 'pnpm@12', 'build'], { cwd: folderOf(name), stdio: 'inherit' });
  const [before, after] = [await readFile(reportOf(name), 'utf8').catch(() => null), await report(name)];
  const losses = before === null || (await mayBreak(name, before)) ? [] : breakingChanges(before, after);
  if (losses.length === 0) await writeFile(reportOf(name), after);
  else {
    process.stderr.write(
      `Breaking changes in @firmdesk/${name}:\n${losses.map((loss) => `  - ${loss}\n`).join('')}` +
        'Revert them, or add a changeset.\n',
    );
    process.exitCode = 1;
  }
}
