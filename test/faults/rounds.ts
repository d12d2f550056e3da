import { setTimeout } from 'node:timers/promises';
import { Effects } from './effects.ts';
import type { Fault, Scene } from './faults.ts';
import { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import type { Stage } from './stage.ts';

/** What does not come back by then does not come back without help. */
const COMES_BACK_MS = 120_000;
/** A push that a dead worker had taken is another's soon, and what had failed is tried again with growing pauses. */
const SETTLES_MS = 180_000;
const POLL_MS = 250;
const LOOK_MS = 200;

/** How one fault came out. Times are in milliseconds, from the moment at which its cause was over. */
export interface Outcome {
  fault: string;
  acknowledged: number;
  lost: string[];
  doubled: string[];
  /** Until writes of every kind were acknowledged again; null: they were not. */
  backMs: number | null;
  /** Until all that was acknowledged had come about: replies, pushes, what viewers see; null: it did not. */
  settledMs: number | null;
  longestAnswerMs: number;
  /** The largest process, in MiB. */
  memory: number;
  errors: Record<string, number>;
  /** Answers that nobody should get, and processes that died by themselves. */
  wrong: string[];
}

export interface Rounds extends Disposable {
  /** Causes the fault at some moment under load; resolves when all is served again. */
  play(fault: Fault): Promise<Round>;
}

/** A fault that has been. */
export interface Round {
  /** Resolves when all that was acknowledged has come about, or never will. */
  settled: Promise<unknown>;
  /** What is there now, compared with what was acknowledged. */
  outcome(): Promise<Outcome>;
}

/** Puts a stage under load, for one fault after another. */
export function openRounds(scene: Scene): Rounds {
  const { stage, fixtures, random } = scene;
  const { pool } = stage.services;
  const ledger = new Ledger();
  const urls = stage.gateways.map(({ url }) => url);
  const load = startLoad({ urls, fixtures, ledger, random });
  const effects = new Effects({
    ledger,
    pool,
    apns: stage.apns,
    viewers: load.viewers,
    phones: fixtures.phones,
  });

  const settle = async (round: number, from: number): Promise<number | null> => {
    while (performance.now() < from + SETTLES_MS) {
      // The database may be away: for the next fault.
      const pending = await effects.pending(round).catch(() => null);
      if (pending === 0) return performance.now() - from;
      await setTimeout(POLL_MS);
    }
    return null;
  };

  return {
    async play(fault) {
      const round = ++ledger.round;
      load.resume();
      await load.hasBegun();
      load.takeTally();
      await setTimeout(random.between(200, 1_500));
      using memory = watchMemory(stage);
      const found = (await fault.cause(scene)) ?? [];
      const from = performance.now();
      const backAt = await Promise.race([load.workedSince(from), setTimeout(COMES_BACK_MS, null)]);
      await load.pause();
      const tally = load.takeTally();
      const known = {
        fault: fault.name,
        acknowledged: ledger.acknowledged(round),
        backMs: backAt === null ? null : backAt - from,
        longestAnswerMs: tally.longestMs,
        memory: memory.largest(),
        errors: Object.fromEntries(tally.errors),
        wrong: [...tally.wrong, ...found, ...takeDeaths(stage), ...lateness(fault, backAt, from)],
      };
      const settled = settle(round, from);
      return {
        settled,
        async outcome() {
          const written = await ledger.compare(pool, round);
          const caused = await effects.compare(round, fault.mayFailReplies ?? false);
          return {
            ...known,
            settledMs: await settled,
            lost: [...written.lost, ...caused.lost],
            doubled: [...written.doubled, ...caused.doubled],
          };
        },
      };
    },
    [Symbol.dispose]: () => load[Symbol.dispose](),
  };
}

function lateness({ backWithinMs }: Fault, backAt: number | null, from: number): string[] {
  if (backWithinMs === undefined || backAt === null || backAt - from <= backWithinMs) return [];
  return [`it was back after ${Math.round((backAt - from) / 1_000)} s`];
}

function takeDeaths({ gateways, workers }: Stage): string[] {
  return [...gateways, ...workers].flatMap((node) => {
    const { deaths, role } = node;
    node.deaths = 0;
    return deaths > 0 ? [`a ${role} died by itself`] : [];
  });
}

/** Looks at the processes' memory now and then. */
function watchMemory({ gateways, workers }: Stage): Disposable & { largest(): number } {
  let largest = 0;
  const look = async () => {
    for (const node of [...gateways, ...workers]) largest = Math.max(largest, (await node.memory()) ?? 0);
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return { largest: () => largest, [Symbol.dispose]: () => clearInterval(timer) };
}
