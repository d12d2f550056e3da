/** A worker is killed while it sends mail: nothing is lost, and nothing is doubled beyond the stated window. */
import { randomUUID } from 'node:crypto';
import {
  createMailbox,
  createToken,
  createUser,
  createWorkspace,
  openTestServices,
  startFarEnd,
  unique,
} from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { type StartedGateway, startGateway, stop } from './started-gateway.ts';

/** How many recipients of a message are served at once: the answers that can be on their way when a process ends. */
const IN_FLIGHT = 3;
const KILLED = { timeout: 60_000 };

test('a message that a killed worker was sending is sent by another one', async () => {
  await using farEnd = await startFarEnd();
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { text: token } = await createToken(services, { user, workspace: firm.slug });
  const mailbox = await createMailbox(services, { firm, writes: [user] });
  const env = {
    DATABASE_URL: base.databaseUrl,
    DEMO: '0',
    SMTP_URL: farEnd.url,
    MAIL_DOMAINS: 'desk.example',
  };
  const started: StartedGateway[] = [];
  const start = (role: string) => {
    const process = startGateway(env, ['--role', role]);
    started.push(process);
    return process;
  };
  const kill = async (worker: StartedGateway) => {
    worker.child.kill('SIGKILL');
    await worker.exited;
  };
  try {
    const url = await start('gateway').listening;
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${url}/v1/me/mail/messages${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await answer.json()).data;
    };
    const send = async (to: string[]): Promise<string> =>
      (await call('POST', '', { address_id: mailbox.id, bcc: to, subject: 'Numbers', body: '<p>Hi</p>' })).id;
    const stateOf = async (id: string) => (await call('GET', `/${id}`)).delivery.state;

    // Killed after the message has arrived, and before the server answers.
    const waiting = `${unique('ann')}@elsewhere.example`;
    farEnd.behave(waiting, 'hang');
    const first = await send([waiting]);
    const one = start('worker');
    await expect.poll(() => farEnd.unanswered.length, KILLED).toBe(1);
    await kill(one);
    farEnd.behave(waiting, 'accept');
    const two = start('worker');
    await expect.poll(() => stateOf(first), KILLED).toBe('sent');
    expect(farEnd.accepted).toHaveLength(1);
    const idOf = ({ raw }: { raw: string }) => /^Message-ID: (.*)$/im.exec(raw)![1];
    expect(idOf(farEnd.accepted[0]!)).toBe(idOf(farEnd.unanswered[0]!));

    // Killed in the middle of many recipients.
    const many = Array.from({ length: 200 }, () => `${unique('bob')}@elsewhere.example`);
    const second = await send(many);
    await expect.poll(() => farEnd.accepted.length, KILLED).toBeGreaterThan(20);
    await kill(two);
    start('worker');
    await expect.poll(() => stateOf(second), KILLED).toBe('sent');
    const counts = many.map((address) => farEnd.accepted.filter(({ to }) => to.includes(address)).length);
    expect(counts.filter((count) => count === 0)).toEqual([]);
    expect(counts.filter((count) => count > 1).length).toBeLessThanOrEqual(IN_FLIGHT);
  } finally {
    await Promise.all(
      started.map((each) => (each.child.exitCode === null && !each.child.killed ? stop(each) : null)),
    );
  }
});
