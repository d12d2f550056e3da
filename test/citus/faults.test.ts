import { setTimeout } from 'node:timers/promises';
import { closeServices, createServices, distributeFirms, migrate, withSetupLock } from '@firmdesk/domain';
import { clusterWorkers, createClusterDatabase, dropDatabase, unique } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../faults/faults.ts';
import { createLoadFixtures } from '../faults/load-fixtures.ts';
import { randomOf } from '../faults/random.ts';
import { faultsOf } from '../faults/report.ts';
import { type Outcome, openRounds, type Rounds } from '../faults/rounds.ts';
import { openStage, type Stage } from '../faults/stage.ts';
import { createWorkspaceOn, serversOf } from './cluster.ts';
import { type LocalServer, localServer } from './local-server.ts';

const SEED = 20_261_122;
const TIMEOUT_MS = 900_000;
/** Longer than a statement may take, so that every time limit applies. */
const AWAY_MS = 20_000;
/** Too many replies wait for one ticket: the load asks for more than a busy machine writes. */
const LIMITED = '429 rate_limited';
/** The limit of a statement. A call that waited for the lost server would take longer. */
const STATEMENT_MS = 15_000;

const coordinatorUrl = process.env['TEST_CITUS_URL']!;
const name = unique('faults');
const random = randomOf(SEED);
let stage: Stage;
let coordinator: LocalServer;
let lost: LocalServer;
/** The load of a firm on the server that is lost, and that of a firm on another one. */
let away: Rounds;
let other: Rounds;

beforeAll(async () => {
  const [lostUrl] = await clusterWorkers(coordinatorUrl);
  coordinator = await localServer(coordinatorUrl);
  lost = await localServer(lostUrl!);
  const url = await createClusterDatabase(coordinatorUrl, name);
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 2 } });
  await withSetupLock(url, () => migrate(services));
  await closeServices(services);
  await distributeFirms({ databaseUrl: url }, { shards: 4, onProgress: () => {} });
  stage = await openStage({
    gateways: 2,
    workers: 2,
    isProxied: false,
    database: {
      url,
      postgres: coordinator,
      [Symbol.asyncDispose]: () => dropDatabase(coordinatorUrl, name),
    },
  });
  const port = Number(new URL(lostUrl!).port);
  const servers = await serversOf(stage);
  const roundsOn = async (isLost: boolean) => {
    const server = servers.find((each) => (each.port === port) === isLost)!;
    const firm = await createWorkspaceOn(stage.services, server);
    return openRounds({ stage, fixtures: await createLoadFixtures(stage, firm), random });
  };
  away = await roundsOn(true);
  other = await roundsOn(false);
}, TIMEOUT_MS);
afterAll(async () => {
  away?.[Symbol.dispose]();
  other?.[Symbol.dispose]();
  await stage?.[Symbol.asyncDispose]();
}, TIMEOUT_MS);

/** Causes a fault once, while both firms are under load. */
async function play(cause: () => Promise<void>): Promise<{ ofAway: Outcome; ofOther: Outcome }> {
  const ready = Promise.withResolvers<void>();
  let loads = 0;
  let caused: Promise<void> | undefined;
  const fault: Fault = {
    name: 'cluster',
    async cause() {
      if (++loads === 2) ready.resolve();
      await ready.promise;
      caused ??= cause();
      await caused;
    },
  };
  const rounds = await Promise.all([away.play(fault), other.play(fault)]);
  await Promise.all(rounds.map((round) => round.settled));
  const [ofAway, ofOther] = await Promise.all(rounds.map((round) => round.outcome()));
  expect(internalErrors()).toEqual([]);
  return { ofAway: ofAway!, ofOther: ofOther! };
}

/** Returns the causes of internal errors in the gateways' logs. */
function internalErrors(): string[] {
  return stage.gateways.flatMap((gateway) =>
    gateway
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"internal_error"')),
  );
}

function summary({ acknowledged, longestAnswerMs, recoveryMs, settledMs, errors }: Outcome): string {
  const ms = [longestAnswerMs, recoveryMs, settledMs].map((each) => Math.round(each ?? Number.NaN));
  return `${acknowledged} writes, longest answer ${ms[0]} ms, recovery ${ms[1]} ms, settled ${ms[2]} ms, retried ${JSON.stringify(errors)}`;
}

async function restartAfter(server: LocalServer): Promise<void> {
  await setTimeout(AWAY_MS);
  await server.start();
}

test.for([
  { how: 'killed', cause: () => lost.end('kill').then(() => restartAfter(lost)) },
  { how: 'silent', cause: () => lost.freeze(AWAY_MS) },
])(
  'a server that is $how stops only the calls of its firms: 503 for these, no error and no wait for the others, and nothing lost or doubled',
  { timeout: TIMEOUT_MS },
  async ({ cause }, { annotate }) => {
    const { ofAway, ofOther } = await play(cause);
    await annotate(`lost server: ${summary(ofAway)}; others: ${summary(ofOther)}`);
    expect(faultsOf(ofOther)).toEqual([]);
    expect({ ...ofOther.errors, [LIMITED]: 0 }).toEqual({ [LIMITED]: 0 });
    expect(ofOther.longestAnswerMs).toBeLessThan(STATEMENT_MS);
    expect(faultsOf(ofAway)).toEqual([]);
    expect(Object.keys(ofAway.errors)).toContain('503 unavailable');
    for (const error of Object.keys(ofAway.errors))
      expect(error).toBeOneOf(['503 unavailable', '409 idempotency_key_in_use', LIMITED]);
  },
);

test(
  'a gateway and a worker that are killed beside a lost server are replaced: nothing lost or doubled',
  async ({ annotate }) => {
    const { ofAway, ofOther } = await play(async () => {
      await lost.end('kill');
      await Promise.all([stage.gateways[0]!, stage.workers[0]!].map((node) => node.end('SIGKILL')));
      await restartAfter(lost);
    });
    await annotate(`lost server: ${summary(ofAway)}; others: ${summary(ofOther)}`);
    expect(faultsOf(ofOther)).toEqual([]);
    expect(ofOther.errors).not.toHaveProperty('503 unavailable');
    expect(faultsOf(ofAway)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'a restarted coordinator answers 503 meanwhile: nothing lost or doubled',
  async ({ annotate }) => {
    const { ofAway, ofOther } = await play(async () => {
      await coordinator.end('restart');
      await coordinator.start();
    });
    await annotate(`${summary(ofAway)}; ${summary(ofOther)}`);
    expect([faultsOf(ofAway), faultsOf(ofOther)]).toEqual([[], []]);
  },
  TIMEOUT_MS,
);
