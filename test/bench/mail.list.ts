import type { Services } from '@firmdesk/domain';
import { createMailbox, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { startGateway, stop, temporaryFolder } from '../started-gateway.ts';
import { fillMailboxes } from './mail.search.ts';
import { loopSeconds } from './processor-time.ts';

const MESSAGES = 20_000;
const CALLS = 2_000;
const LIST = '/v1/me/mail/messages?limit=50';

/**
 * Returns the milliseconds of processor time that the loop of a gateway and its connections take to list the newest 50 messages of a mailbox
 * with 20,000, in a firm of its own. Needs Linux.
 */
export async function measureList(services: Services, databaseUrl: string): Promise<number> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const mailbox = await createMailbox(services, { firm, writes: [user] });
  const { text: token } = await createToken(services, { user, workspace: firm.slug });
  await fillMailboxes(services, { firm, mailboxes: [mailbox] }, MESSAGES);
  await using files = await temporaryFolder();
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: files.path, DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' };
  const gateway = startGateway(env, ['--role', 'gateway']);
  try {
    const url = `${await gateway.listening}${LIST}`;
    const list = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
        if (!answer.ok) throw new Error(`The list answers ${answer.status}.`);
        await answer.arrayBuffer();
      }
    };
    await list(CALLS);
    // Those that the calls use. Others can be closed meanwhile.
    const { rows } = await services.pool.query<{ pid: number }>(`
      select pid from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() and state_change > now() - interval '1 second'`);
    const processes = [gateway.child.pid!, ...rows.map(({ pid }) => pid)];
    const seconds = async () => (await Promise.all(processes.map(loopSeconds))).reduce((a, b) => a + b);
    const before = await seconds();
    await list(CALLS);
    return (((await seconds()) - before) / CALLS) * 1_000;
  } finally {
    await stop(gateway);
  }
}
