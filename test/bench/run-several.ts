import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BenchReport, figure, say } from './report.ts';

const MAIN = new URL('main.ts', import.meta.url).pathname;
/** A benchmark that has not ended after this time is stopped. */
const MAX_MS = 15 * 60_000;

/**
 * Runs benchmarks one after another, each in a process of its own, and returns one report with the figures of all. A benchmark
 * that ends without a report does not stop the others.
 */
export async function runSeveral(names: readonly string[]): Promise<BenchReport> {
  const figures: BenchReport['figures'] = [];
  const raw: Record<string, object> = {};
  for (const [n, name] of names.entries()) {
    say(`${name}: ${n + 1} of ${names.length}`);
    const began = performance.now();
    const report = await runOne(name);
    const seconds = Math.round((performance.now() - began) / 1_000);
    say(`${name}: ${seconds} s`);
    raw[name] = { seconds, ...(report && { raw: report.raw }) };
    figures.push(figure(`${name}: ended without a report`, report ? 0 : 1, '<= 0'));
    for (const one of report?.figures ?? []) {
      // Printed at once, so that a run which is stopped has shown what it measured.
      say(`  ${one.name}: ${one.value}${one.goal === null ? '' : ` (goal ${one.goal})`}`);
      figures.push({ ...one, name: `${name}: ${one.name}` });
    }
  }
  return { bench: names.join(', '), figures, raw };
}

/** Returns null if the benchmark failed. What it prints on stderr says why. */
async function runOne(name: string): Promise<BenchReport | null> {
  const child = spawn(process.execPath, [MAIN, name, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => {
    say(`${name} is stopped after ${MAX_MS / 60_000} minutes`);
    child.kill();
  }, MAX_MS);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  await once(child, 'close');
  clearTimeout(timer);
  try {
    return JSON.parse(printed) as BenchReport;
  } catch {
    return null;
  }
}
