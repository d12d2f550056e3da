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
  // The faults run in sequence, without waiting for slow effects: pushes of a dead worker, replies of a silent model.
  const played: Round[] = [];
  const settled = () => Promise.all(played.map((round) => round.settled));
  for (const fault of faults) {
    // Otherwise commands of earlier rounds, whose replies must not fail, would get this round's broken model.
    if (fault.mayFailReplies) await settled();
    played.push(await rounds.play(fault));
  }
  await settled();
  outcomes = await Promise.all(played.map((round) => round.outcome()));
}, TIMEOUT_MS);

test.each(faults)(
  '$name: loses and duplicates no acknowledged write, answers every call in time, and recovers by itself',
  ({ name }) => {
    const outcome = outcomes.find(({ fault }) => fault === name)!;
    expect(outcome.acknowledged).toBeGreaterThan(0);
    expect(faultsOf(outcome)).toEqual([]);
  },
);
