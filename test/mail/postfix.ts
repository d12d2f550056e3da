import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { delay } from '@firmdesk/domain';
import { freePort } from '../free-port.ts';
import { isInstalled } from '../operations/is-installed.ts';
import { temporaryFolder } from '../started-gateway.ts';

const PROGRAMS = '/usr/lib/postfix/sbin';
/** It changes to an account of its own, so it starts only for root. */
export const hasPostfix = isInstalled('postfix') && process.getuid?.() === 0;

/** A Postfix of its own, whose queue survives its end. */
export interface Postfix extends AsyncDisposable {
  url: string;
  /** Ends all its processes with SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  log(): Promise<string>;
}

const SERVICES = `
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
retry unix - - n - - error
error unix - - n - - error
scache unix - - n - 1 scache
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;

/**
 * Starts Postfix on this machine.
 * @param routes where the mail of each domain goes, such as `lmtp:[127.0.0.1]:2400`
 */
export async function startPostfix(routes: Record<string, string>): Promise<Postfix> {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  for (const name of ['conf', 'queue', 'data']) await mkdir(at(name));
  execFileSync('chown', ['postfix', at('data')]);
  await chmod(at('data'), 0o700);
  const port = await freePort();
  const domains = Object.keys(routes).join(', ');
  const transports = Object.entries(routes).map(([domain, route]) => `{ ${domain} = ${route} }`);
  await writeFile(
    at('conf/main.cf'),
    `
compatibility_level = 3.6
queue_directory = ${at('queue')}
data_directory = ${at('data')}
maillog_file = ${at('log')}
maillog_file_prefixes = ${folder.path}
myhostname = mx.test.example
mydestination =
alias_maps =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
relay_domains = ${domains}
transport_maps = inline:{ ${transports.join(', ')} }
message_size_limit = 52428800
queue_minfree = 0
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
transport_retry_time = 1s
lmtp_destination_concurrency_failed_cohort_limit = 1000
smtp_destination_concurrency_failed_cohort_limit = 1000
smtp_destination_recipient_limit = 1
`,
  );
  await writeFile(at('conf/master.cf'), `127.0.0.1:${port} inet n - n - - smtpd${SERVICES}`);
  const log = () => readFile(at('log'), 'utf8').catch(() => '');
  let master: number | null = null;

  const start = async () => {
    // Its script prepares the queue's folders, and `master` runs as our child.
    execFileSync('postfix', ['-c', at('conf'), 'check'], { stdio: 'ignore' });
    const started = starts(await log());
    const child = spawn(join(PROGRAMS, 'master'), ['-c', at('conf'), '-d'], {
      detached: true,
      stdio: 'ignore',
    });
    await once(child, 'spawn');
    master = child.pid!;
    while (starts(await log()) === started) {
      if (child.exitCode !== null) throw new Error(`Postfix ended.\n${await log()}`);
      await delay(20);
    }
  };
  const kill = async () => {
    if (master === null) return;
    // The group: without `master`, its children would end by themselves only later.
    process.kill(-master, 'SIGKILL');
    while (isAlive(master)) await delay(20);
    master = null;
  };
  await start();
  return {
    url: `smtp://127.0.0.1:${port}`,
    kill,
    start,
    log,
    async [Symbol.asyncDispose]() {
      await kill();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const starts = (log: string) => log.split('daemon started').length;

/** Returns whether a process of the group is left. */
function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
