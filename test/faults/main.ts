import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { faults } from './faults.ts';
import { createLoadFixtures } from './load-fixtures.ts';
import { randomOf } from './random.ts';
import { faultsOf, type Line, linesOf, markdownOf, tableOf } from './report.ts';
import { openRounds, type Round } from './rounds.ts';
import { leaveOnSignals, openStage } from './stage.ts';

const HELP = `Usage: pnpm test:faults [--seed N] [--minutes M] [--only NAME]… [--json | --markdown]

Puts Firmdesk under load, causes faults at random times, and compares the acknowledged writes with the stored ones. Causes
each fault once, or repeatedly for --minutes. Prints a table to stdout (--markdown: of Markdown) and messages to
stderr. Exits with 1 if a write was lost or duplicated, an answer was wrong, or the service did not recover.

Faults: ${faults.map(({ name }) => name).join('; ')}
`;
/** After this time other processes have taken over the work of dead ones, so that every duplicate is stored. */
const TAKEOVER_MS = 40_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '0' },
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const seed = Number(values.seed);
const minutes = Number(values.minutes);
const chosen = faults.filter(({ name }) => values.only?.includes(name) ?? true);

/** Returns whether all expectations were met. */
async function main(): Promise<boolean> {
  const until = performance.now() + minutes * 60_000;
  say(`seed ${seed}`);
  const random = randomOf(seed);
  await using stage = await openStage();
  leaveOnSignals(stage);
  using rounds = openRounds({ stage, fixtures: await createLoadFixtures(stage), random });
  const played: Round[] = [];
  for (let cycle = 1; cycle === 1 || performance.now() < until; cycle++) {
    for (const fault of random.shuffled(chosen)) {
      if (cycle > 1 && performance.now() > until) break;
      const round = await rounds.play(fault);
      await round.settled;
      played.push(round);
      const wrong = faultsOf(await round.outcome());
      say(`${cycle}  ${fault.name}: ${wrong.join('; ') || 'passed'}`);
    }
  }
  say('waiting until other processes have taken over the work of dead ones');
  await setTimeout(TAKEOVER_MS);
  const outcomes = await Promise.all(played.map((round) => round.outcome()));
  const lines = linesOf(outcomes);
  const text = values.json
    ? JSON.stringify({ seed, faults: lines }, null, 2)
    : values.markdown
      ? `${markdownOf(inOrder(lines))}\n\n${tableOf(lines)}`
      : tableOf(lines);
  process.stdout.write(`${text}\n`);
  return outcomes.every((outcome) => faultsOf(outcome).length === 0);
}

/** Sorts lines in the order of the list of faults. */
function inOrder(lines: Line[]): Line[] {
  return faults.flatMap(({ name }) => lines.filter(({ fault }) => fault === name));
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

if (values.help) process.stdout.write(HELP);
else if (!Number.isInteger(seed) || Number.isNaN(minutes) || chosen.length === 0) {
  process.stderr.write(HELP);
  process.exitCode = 2;
} else process.exit((await main()) ? 0 : 1);
