import {
  createCalendar,
  createMailbox,
  createUser,
  createWorkspace,
  openTestServices,
  unique,
} from '@firmdesk/testing';
import { inject } from 'vitest';
import { freePort } from '../free-port.ts';
import { type StartedGateway, startGateway, stop, temporaryFolder } from '../started-gateway.ts';
import { Phone } from './phone.ts';

const PASSWORD = 'correct horse battery';

interface FirmOptions {
  /** Of its member's address, which is a mailbox of the firm. */
  domain: string;
  smtpUrl: string;
  lmtpPort: number;
  /** The file with the key that signs its mail. */
  dkimKey?: string;
}

/** Starts a firm with a database and a process of its own, and a phone of its member. It starts again at the same address. */
export async function installFirm({ domain, smtpUrl, lmtpPort, dkimKey }: FirmOptions) {
  const base = await openTestServices(inject('postgresUrl'));
  const files = await temporaryFolder();
  const { services } = base;
  const firm = await createWorkspace(services);
  const email = `${unique('desk')}@${domain}`;
  const user = await createUser(services, { firm, email, password: PASSWORD });
  await createMailbox(services, { firm, writes: [user], email });
  await createCalendar(services, { firm, owner: user });
  const port = String(await freePort());
  let gateway: StartedGateway;
  const start = async () => {
    gateway = startGateway({
      DATABASE_URL: base.databaseUrl,
      DATA_DIR: files.path,
      DEMO: '0',
      PORT: port,
      SMTP_URL: smtpUrl,
      MAIL_DOMAINS: domain,
      LMTP_PORT: String(lmtpPort),
      LMTP_DNS_SERVERS: 'off',
      ...(dkimKey !== undefined && { DKIM_KEY_FILE: dkimKey, DKIM_SELECTOR: 's1' }),
    });
    return gateway.listening;
  };
  const url = await start();
  const phone = new Phone(url);
  await phone.signIn(email, PASSWORD);
  return {
    url,
    firm,
    email,
    password: PASSWORD,
    phone,
    start,
    async kill() {
      gateway.child.kill('SIGKILL');
      await gateway.exited;
    },
    async [Symbol.asyncDispose]() {
      await stop(gateway);
      await base[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
    },
  };
}
export type InstalledFirm = Awaited<ReturnType<typeof installFirm>>;
