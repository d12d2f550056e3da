/** A process is killed while it takes mail that opens tickets: each mail that was accepted has one ticket, and none has two. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { createMailbox, createUser, createWorkspace, openTestServices, unique } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { freePort } from './free-port.ts';
import { startGateway, stop } from './started-gateway.ts';

const MAILS = 12;

/** Hands a message over as a mail server does (LMTP). Returns the last answer; `lost` if the line is. */
async function handOver(port: number, to: string, name: string): Promise<string> {
  const from = `${name}@elsewhere.example`;
  const raw = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${name}`,
    `Message-ID: <${from}>`,
    '',
    'Where is it?',
    '.',
  ];
  const commands = ['LHLO mx.example', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA', raw.join('\r\n')];
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  try {
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const answer = async (): Promise<string> => {
      const { value, done } = await lines.next();
      if (done) return 'lost';
      return value[3] === '-' ? answer() : value;
    };
    let said = await answer();
    for (const command of commands) {
      if (!/^[23]/.test(said)) break;
      socket.write(`${command}\r\n`);
      said = await answer();
    }
    return said;
  } catch {
    return 'lost';
  } finally {
    socket.destroy();
  }
}

test('a mail that a killed process accepted has one ticket, and one that is handed over again has no second', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { email } = await createMailbox(services, { firm, writes: [user] });
  await services.pool.query(`update mailbox_addresses set tickets = 'anyone' where address = lower($1)`, [
    email,
  ]);
  const tickets = async (): Promise<string[]> =>
    (
      await services.pool.query('select subject from tickets where workspace_id = $1 order by subject', [
        firm.id,
      ])
    ).rows.map(({ subject }) => subject);
  const port = await freePort();
  const start = async () => {
    const gateway = startGateway({
      DATABASE_URL: base.databaseUrl,
      DEMO: '0',
      LMTP_PORT: String(port),
      LMTP_DNS_SERVERS: 'off',
      MAIL_DOMAINS: 'desk.example',
    });
    await gateway.listening;
    return gateway;
  };
  const names = Array.from({ length: MAILS }, (_, i) => unique(`mail${String(i).padStart(2, '0')}`));
  const accepted = new Set<string>();
  const deliver = async (name: string) => {
    const answer = await handOver(port, email, name);
    if (answer.startsWith('250')) accepted.add(name);
    return answer;
  };

  // As soon as one mail is accepted, while others are on their way.
  let gateway = await start();
  try {
    const handing = names.map(deliver);
    await Promise.any(handing.map((each) => each.then((answer) => expect(answer).toMatch(/^250/))));
    gateway.child.kill('SIGKILL');
    await gateway.exited;
    await Promise.all(handing);
    // Nothing runs: what was accepted is a ticket already.
    expect(await tickets()).toEqual(expect.arrayContaining([...accepted]));

    gateway = await start();
    await Promise.all(names.filter((name) => !accepted.has(name)).map(deliver));
    expect([...accepted].sort()).toEqual(names);
    // Its server did not get the answer either.
    expect(await Promise.all(names.map(deliver))).toEqual(names.map(() => expect.stringMatching(/^250/)));
    expect(await tickets()).toEqual(names);
  } finally {
    if (gateway.child.exitCode === null && gateway.child.signalCode === null) await stop(gateway);
  }
});
