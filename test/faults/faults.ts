import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { LoadFixtures } from './load-fixtures.ts';
import type { Node } from './node.ts';
import type { Random } from './random.ts';
import { openSlowConsumer } from './slow-consumer.ts';
import type { Stage } from './stage.ts';

export interface Scene {
  stage: Stage;
  fixtures: LoadFixtures;
  random: Random;
}

export interface Fault {
  name: string;
  /** Causes the fault. Resolves when the cause is over. May return the errors that occurred while it lasted. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most return nothing
  cause(scene: Scene): Promise<string[] | void>;
  /** The limit until everything is served again. */
  recoveryLimitMs?: number;
  /** The model cannot answer, so a command may end with a note. */
  mayFailReplies?: boolean;
}

/** Limit after which a frozen worker has lost its replies, pushes and locks. */
const LOST_WITHIN_MS = 30_000;
/** Long enough for other workers to take over its work and to finish a part of it. */
const FROZEN_MS = 35_000;

const everyNode = ({ gateways, workers }: Stage) => [...gateways, ...workers];

async function kill(nodes: Node[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
}

/** Changes the model's behaviour for two to four seconds. */
async function changeModel({ stage, random }: Scene, behaviour: Parameters<Stage['model']['behave']>[0]) {
  stage.model.behave(behaviour);
  await setTimeout(random.between(2_000, 4_000));
  stage.letModelWrite();
}

async function answerPushes({ stage, random }: Scene, answer: 'stall' | 'goaway'): Promise<void> {
  stage.apns.answerAll(() => answer);
  await setTimeout(random.between(1_000, 3_000));
  stage.apns.answerAll(() => ({ status: 200 }));
}

/** A search, which gets no answer while tables are locked. */
async function search({ gateways }: Stage, token: string): Promise<void> {
  await fetch(`${gateways[0]!.url}/v1/admin/tickets?q=payout`, {
    headers: { authorization: `Bearer ${token}` },
  }).then(
    (response) => response.text(),
    () => {},
  );
}

export const faults: Fault[] = [
  {
    name: 'worker killed',
    cause: ({ stage, random }) => kill([random.pick(stage.workers)]),
  },
  {
    name: 'worker frozen',
    async cause({ stage, random }) {
      const frozen = random.pick(stage.workers);
      frozen.freeze();
      try {
        await setTimeout(FROZEN_MS);
        const { rowCount } = await stage.services.pool.query(
          `select from workers where renewed_at < clock_timestamp() - $1 * interval '1 millisecond'`,
          [LOST_WITHIN_MS],
        );
        if (rowCount !== 0) return ['a frozen worker kept its lease'];
      } finally {
        frozen.resume();
      }
    },
  },
  {
    name: 'worker killed between the answer to a webhook and its record',
    async cause({ stage }) {
      // A frozen process cannot read the answer, which is on its way when it is killed.
      const { id } = await stage.receiver.aroundNext(() => {
        for (const worker of stage.workers) worker.freeze();
      });
      await kill(stage.workers);
      const { rows } = await stage.services.pool.query<{ state: string }>(
        'select state from webhook_deliveries where event_id = $1',
        [id],
      );
      if (rows.some(({ state }) => state !== 'waiting')) return ['the answer was recorded before the kill'];
    },
  },
  {
    name: 'gateway and worker killed',
    cause: ({ stage }) => kill(everyNode(stage)),
  },
  {
    name: 'gateway killed',
    cause: ({ stage, random }) => kill([random.pick(stage.gateways)]),
  },
  {
    name: 'PostgreSQL restarted',
    cause: ({ stage }) => stage.postgres.end('restart'),
  },
  {
    name: 'PostgreSQL killed',
    cause: ({ stage }) => stage.postgres.end('kill'),
  },
  {
    name: 'PostgreSQL frozen',
    cause: ({ stage, random }) => stage.postgres.freeze(random.between(5_000, 10_000)),
  },
  {
    name: 'connection silent, then a new primary',
    recoveryLimitMs: 15_000,
    async cause({ stage, random }) {
      stage.proxy.silence();
      await setTimeout(random.between(1_000, 8_000));
      stage.proxy.acceptNew();
    },
  },
  {
    name: 'primary read-only',
    recoveryLimitMs: 15_000,
    async cause({ stage, random }) {
      // The service's own connections end when the server becomes read-only.
      const set = async (change: string) => {
        const client = new pg.Client({ connectionString: stage.databaseUrl });
        await client.connect();
        await client.query(`alter system ${change}`);
        await client.query('select pg_reload_conf()');
        await client.end();
      };
      await set('set default_transaction_read_only = on');
      try {
        await setTimeout(random.between(4_000, 8_000));
      } finally {
        await set('reset default_transaction_read_only');
      }
    },
  },
  {
    name: 'tables locked, searches wait',
    async cause({ stage, fixtures, random }) {
      const client = new pg.Client({ connectionString: stage.databaseUrl });
      await client.connect();
      try {
        await client.query('begin; lock table tickets, mail_messages in access exclusive mode');
        const searches = Array.from({ length: 40 }, () => search(stage, fixtures.agent));
        await setTimeout(random.between(4_000, 8_000));
        await client.query('commit');
        await Promise.all(searches);
      } finally {
        await client.end();
      }
    },
  },
  {
    name: 'model hangs',
    mayFailReplies: true,
    cause: (scene) => changeModel(scene, { kind: 'stall', words: ['half'] }),
  },
  {
    name: 'model drops the stream',
    mayFailReplies: true,
    cause: (scene) =>
      changeModel(scene, () =>
        scene.random.pick([
          { kind: 'break', words: ['half'], how: 'cut' },
          { kind: 'break', words: ['half'], how: 'end' },
          { kind: 'stream-error', words: ['half'] },
          { kind: 'error', status: 500 },
        ]),
      ),
  },
  {
    name: 'APNs hangs',
    cause: (scene) => answerPushes(scene, 'stall'),
  },
  {
    name: 'APNs sends GOAWAY',
    cause: (scene) => answerPushes(scene, 'goaway'),
  },
  {
    name: 'log pipe full',
    async cause({ stage, random }) {
      const nodes = everyNode(stage);
      for (const node of nodes) node.pauseLog();
      const until = performance.now() + random.between(3_000, 5_000);
      // A log line per call: more than a pipe holds.
      const ask = async () => {
        while (performance.now() < until) await fetch(`${stage.gateways[0]!.url}/healthz`).catch(() => {});
      };
      await Promise.all(Array.from({ length: 20 }, ask));
      for (const node of nodes) node.resumeLog();
    },
  },
  {
    name: 'clocks jump',
    async cause({ stage, random }) {
      const nodes = everyNode(stage);
      for (const minutes of [random.between(1, 10), -random.between(1, 10)]) {
        for (const node of nodes) node.moveClock(minutes * 60_000);
        await setTimeout(2_000);
      }
      for (const node of nodes) node.moveClock(0);
    },
  },
  {
    name: 'viewers do not read',
    cause: ({ stage, fixtures, random }) =>
      openSlowConsumer(
        { url: stage.gateways[0]!.url, token: fixtures.agent, ticket: fixtures.tickets[0]! },
        random,
      ),
  },
];
