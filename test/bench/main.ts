import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type BenchReport, machine } from './report.ts';
import { runSeveral } from './run-several.ts';

/** A benchmark is a file of this folder that exports `run`. */
const NOT_A_BENCH = new Set(['main', 'processor-time', 'report', 'run-several']);

const files = await readdir(import.meta.dirname);
const names: string[] = [];
for (const file of files.filter((file) => file.endsWith('.ts')).sort()) {
  const name = file.replace(/\.ts$/, '');
  if (!NOT_A_BENCH.has(name) && !name.includes('.')) names.push(name);
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    size: { type: 'string' },
    data: { type: 'string' },
    proxy: { type: 'string' },
    messages: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const chosen = positionals.join() === 'all' ? names : positionals;
const usage = `Usage: pnpm bench NAME... [--json]
       pnpm bench all [--json]                        all of them, one after another
       pnpm bench tickets [--json] [--size TICKETS] [--data DIR]  keeps its databases in the folder (.data/bench)
       pnpm bench load [--json] [--size TICKETS]      also with as many tickets
       pnpm bench reports [--json] [--size TICKETS]   also with another number of tickets
       pnpm bench mail [--json] [--messages N]        searches as many messages (1,000,000)
       pnpm bench restart [--json] [--proxy reuse|close]  behind HAProxy, with connections used again or closed after each call

Names: ${names.join(', ')}
`;
if (values.help) {
  process.stdout.write(usage);
} else if (chosen.length === 0 || chosen.some((name) => !names.includes(name))) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const { bench, figures, raw } = chosen.length > 1 ? await runSeveral(chosen) : await runOne(chosen[0]!);
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ bench, machine: machine(), figures, raw }, null, 2)}\n`);
  } else {
    const { cpu, cores, memory_gib, node } = machine();
    process.stdout.write(`${bench} on ${cores} × ${cpu}, ${memory_gib} GiB, Node ${node}\n`);
    const width = Math.max(...figures.map(({ name }) => name.length));
    for (const { name, value, goal, holds } of figures) {
      const verdict = goal === null ? '' : `  goal ${goal}  ${holds ? 'holds' : 'MISSED'}`;
      process.stdout.write(`  ${name.padEnd(width)} ${String(value).padStart(10)}${verdict}\n`);
    }
  }
  if (figures.some(({ holds }) => holds === false)) process.exitCode = 1;
}

async function runOne(name: string): Promise<BenchReport> {
  const { run } = (await import(`./${name}.ts`)) as {
    run: (options: Partial<Record<'size' | 'data' | 'proxy' | 'messages', string>>) => Promise<BenchReport>;
  };
  return run(values);
}
