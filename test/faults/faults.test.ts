import { beforeAll, expect, test } from 'vitest';
import { faults } from './faults.ts';
import { createLoadFixtures } from './load-fixtures.ts';
import { randomOf } from './random.ts';
import { faultsOf } from './report.ts';
import { type Outcome, openRounds, type Round } from './rounds.ts';
import { openStage } from './stage.ts';

const SEED = 20_261_121;
/** On an idle machine it takes a minute and a half. */
const TIMEOUT_MS = 900_000;

let outcomes: Outcome[];
beforeAll(async () => {
  await using stage = await openStage();
  using rounds = openRounds({ stage, fixtures: await createLoadFixtures(stage), random: randomOf(SEED) });
  // In sequence, without waiting for slow effects: pushes of a dead worker, replies of a silent model.
  const played: Round[] = [];
  const settled = () => Promise.all(played.map((round) => round.settled));
  for (const fault of faults) {
    // A pending command of an earlier round would meet this round's model, and rightly be given up.
    if (fault.mayFailReplies) await settled();
    played.push(await rounds.play(fault));
  }
  await settled();
  outcomes = await Promise.all(played.map((round) => round.outcome()));
}, TIMEOUT_MS);

test.each(faults)(
  '$name: nothing acknowledged is lost or doubled, every answer is bounded, and it comes back without help',
  ({ name }) => {
    const outcome = outcomes.find(({ fault }) => fault === name)!;
    expect(outcome.acknowledged).toBeGreaterThan(0);
    expect(faultsOf(outcome)).toEqual([]);
  },
);
