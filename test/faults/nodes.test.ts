import { createTicket, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { openSocket, request } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from './faults.ts';
import { createLoadFixtures } from './load-fixtures.ts';
import { randomOf } from './random.ts';
import { faultsOf } from './report.ts';
import { openRounds } from './rounds.ts';
import { openStage, type Stage } from './stage.ts';

const SEED = 20_261_121;
const TIMEOUT_MS = 600_000;
/** The close code of a socket whose token has ended. */
const UNAUTHENTICATED = 4401;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ gateways: 2, workers: 2 });
}, TIMEOUT_MS);
afterAll(() => stage[Symbol.asyncDispose](), TIMEOUT_MS);

test(
  'a rolling restart under load fails no call, loses no delta, and ends every process with code 0',
  async () => {
    const codes: (number | null)[] = [];
    const restart: Fault = {
      name: 'rolling restart',
      async cause({ stage: { gateways, workers } }) {
        for (const node of [...gateways, ...workers]) {
          codes.push(await node.end('SIGTERM'));
          await node.ready();
        }
      },
    };
    using rounds = openRounds({ stage, fixtures: await createLoadFixtures(stage), random: randomOf(SEED) });
    const round = await rounds.play(restart);
    await round.settled;
    const outcome = await round.outcome();
    expect(faultsOf(outcome)).toEqual([]);
    expect(codes).toEqual([0, 0, 0, 0]);
    // No call was sent again: clients changed the gateway after `Connection: close` in time.
    expect(outcome.errors).toEqual({});
  },
  TIMEOUT_MS,
);

test('closes the sockets of a session on all nodes after a sign-out on one', async ({ annotate }) => {
  const { services, gateways } = stage;
  const firm = await createWorkspace(services);
  const agent = await createUser(services, { firm, permissions: ['view_tickets'] });
  const trader = await createUser(services, { firm, role: 'trader' });
  const ticket = await createTicket(services, { firm, trader });
  const { text: token } = await createToken(services, { user: agent, workspace: firm.slug, kind: 'device' });
  const sockets = await Promise.all(gateways.map(({ url }) => openSocket(url, { params: { token } })));
  for (const socket of sockets) await socket.call('subscription', 'tickets.stream', { ticket });

  const answer = await request(gateways[0]!.url, 'DELETE /v1/me/session', { token });
  const signedOut = performance.now();
  expect(answer.status).toBe(200);
  const closed = await Promise.all(sockets.map((socket) => socket.closed));
  await annotate(`all were closed ${Math.round(performance.now() - signedOut)} ms after the answer`);
  expect(closed.map(([code]) => code)).toEqual([UNAUTHENTICATED, UNAUTHENTICATED]);
});
