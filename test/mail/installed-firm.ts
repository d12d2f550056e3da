import { createMailbox, createUser, createWorkspace, openTestServices, unique } from '@firmdesk/testing';
import { inject } from 'vitest';
import { type StartedGateway, startGateway, stop, temporaryFolder } from '../started-gateway.ts';
import { Phone } from './phone.ts';

const PASSWORD = 'correct horse battery';

interface FirmOptions {
  /** Of its mailbox. */
  domain: string;
  smtpUrl: string;
  lmtpPort: number;
  /** The file with the key that signs its mail. */
  dkimKey?: string;
}

/** Starts a firm with a database and a process of its own, and a phone of its member. */
export async function installFirm({ domain, smtpUrl, lmtpPort, dkimKey }: FirmOptions) {
  const base = await openTestServices(inject('postgresUrl'));
  const files = await temporaryFolder();
  const { services } = base;
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm, password: PASSWORD });
  const mailbox = await createMailbox(services, {
    firm,
    writes: [user],
    email: `${unique('desk')}@${domain}`,
  });
  let gateway: StartedGateway;
  let url = '';
  const start = async () => {
    gateway = startGateway({
      DATABASE_URL: base.databaseUrl,
      DATA_DIR: files.path,
      DEMO: '0',
      SMTP_URL: smtpUrl,
      MAIL_DOMAINS: domain,
      LMTP_PORT: String(lmtpPort),
      LMTP_DNS_SERVERS: 'off',
      ...(dkimKey !== undefined && { DKIM_KEY_FILE: dkimKey, DKIM_SELECTOR: 's1' }),
    });
    url = await gateway.listening;
  };
  await start();
  const phone = new Phone(() => url);
  await phone.signIn(user.email, PASSWORD);
  return {
    firm,
    email: mailbox.email,
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
