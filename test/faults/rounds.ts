import { setTimeout } from 'node:timers/promises';
import { Automation } from './automation.ts';
import { Effects } from './effects.ts';
import type { Fault, Scene } from './faults.ts';
import { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import type { Stage } from './stage.ts';

/** Limit for recovery without intervention. */
const RECOVERY_MS = 120_000;
/** Limit for late effects: pushes of a dead worker, and retries with backoff. */
const EFFECTS_MS = 180_000;
const POLL_MS = 250;
const SAMPLE_MS = 200;

/** The outcome of one fault. Times are in milliseconds after the end of its cause. */
export interface Outcome {
  fault: string;
  acknowledged: number;
  lost: string[];
  duplicated: string[];
  /** Until writes of every kind were acknowledged again; null if never. */
  recoveryMs: number | null;
  /** Until all effects of acknowledged writes had occurred (replies, pushes, events of viewers); null if never. */
  settledMs: number | null;
  longestAnswerMs: number;
  /** The memory of the largest process, in MiB. */
  memory: number;
  errors: Record<string, number>;
  /** Answers that no fault may cause, and processes that ended by themselves. */
  wrong: string[];
}

export interface Rounds extends Disposable {
  /** Causes the fault at a random time under load; resolves when everything is served again. */
  play(fault: Fault): Promise<Round>;
}

/** A fault that is over. */
export interface Round {
  /** Resolves when all effects have occurred, or at the limit. */
  settled: Promise<unknown>;
  /** Compares the database with the acknowledged writes. */
  outcome(): Promise<Outcome>;
}

/** Puts a stage under load for a sequence of faults. */
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
  const automation = new Automation({
    ledger,
    pool,
    receiver: stage.receiver,
    ruledTicket: fixtures.ruledTicket,
  });

  const settle = async (round: number, from: number): Promise<number | null> => {
    while (performance.now() < from + EFFECTS_MS) {
      // The database may be unavailable. If it stays so, the next fault reports it.
      const pending = await Promise.all([effects.pending(round), automation.pending(round)]).then(
        ([first, second]) => first + second,
        () => null,
      );
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
      const recoveredAt = await Promise.race([load.workedSince(from), setTimeout(RECOVERY_MS, null)]);
      await load.pause();
      const tally = load.takeTally();
      const known = {
        fault: fault.name,
        acknowledged: ledger.acknowledged(round),
        recoveryMs: recoveredAt === null ? null : recoveredAt - from,
        longestAnswerMs: tally.longestMs,
        memory: memory.largest(),
        errors: Object.fromEntries(tally.errors),
        wrong: [...tally.wrong, ...found, ...takeCrashes(stage), ...lateness(fault, recoveredAt, from)],
      };
      const settled = settle(round, from);
      return {
        settled,
        async outcome() {
          const written = await ledger.compare(pool, round);
          const caused = await effects.compare(round, fault.mayFailReplies ?? false);
          const automated = await automation.compare(round);
          return {
            ...known,
            settledMs: await settled,
            lost: [...written.lost, ...caused.lost, ...automated.lost],
            duplicated: [...written.duplicated, ...caused.duplicated, ...automated.duplicated],
          };
        },
      };
    },
    [Symbol.dispose]: () => load[Symbol.dispose](),
  };
}

function lateness({ recoveryLimitMs }: Fault, recoveredAt: number | null, from: number): string[] {
  if (recoveryLimitMs === undefined || recoveredAt === null || recoveredAt - from <= recoveryLimitMs)
    return [];
  return [`it recovered only after ${Math.round((recoveredAt - from) / 1_000)} s`];
}

function takeCrashes({ gateways, workers }: Stage): string[] {
  return [...gateways, ...workers].flatMap((node) => {
    const { crashes, role } = node;
    node.crashes = 0;
    return crashes > 0 ? [`a ${role} ended by itself`] : [];
  });
}

/** Samples the memory of the processes. */
function watchMemory({ gateways, workers }: Stage): Disposable & { largest(): number } {
  let largest = 0;
  const sample = async () => {
    for (const node of [...gateways, ...workers]) largest = Math.max(largest, (await node.memory()) ?? 0);
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  return { largest: () => largest, [Symbol.dispose]: () => clearInterval(timer) };
}
