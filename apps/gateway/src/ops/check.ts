import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  checkModel,
  commandScanner,
  ensureOurs,
  ensureOwnSessions,
  ensureRights,
  FEWEST_CONNECTIONS,
  readServerLimit,
  readVapidKey,
  type Services,
  schemaState,
  sumOfPools,
} from '@firmdesk/domain';
import type { Command } from 'commander';
import type { ApnsConfig, AssistantConfig, Config } from '../config.ts';
import { type Installation, objectStoreOf, openInstallation } from '../installation/installation.ts';
import { openMailServer } from '../installation/mail-server.ts';
import { readAssistantKey } from '../installation/reloadable.ts';
import { formatFatalError } from '../process/format-fatal-error.ts';
import { createLogger } from '../telemetry/logger.ts';
import { type OpsContext, table } from './context.ts';

/** Signatures of pushes and TLS certificates need a clock that is about right. */
const CLOCK_MS = 5_000;

interface CheckResult {
  check: string;
  ok: boolean;
  detail: string;
}

/** Runs one check, which returns what it found and throws what is wrong. Returns whether it succeeded. */
type RunCheck = (name: string, run: () => Promise<string>) => Promise<boolean>;

/** Adds the command `check`. */
export function checkCommand(program: Command, ops: OpsContext): void {
  program
    .command('check')
    .description('Check the configuration and the connections. Changes nothing. Exit code 1 if a check fails')
    .action(async () => {
      const results: CheckResult[] = [];
      const check: RunCheck = async (name, run) => {
        try {
          results.push({ check: name, ok: true, detail: await run() });
          return true;
        } catch (error) {
          results.push({ check: name, ok: false, detail: formatFatalError(error) });
          return false;
        }
      };
      const isValid = await check('configuration', async () => {
        ops.config();
        return 'valid';
      });
      if (isValid) {
        const config = ops.config();
        await checkDatabase(config, check);
        await check('attachments', () => describeObjects(config));
        await check('scanner', () => describeScanner(config));
        await check('push', () => describePush(config.apns));
        await check('web push', () => describeBrowserPush(config));
        await check('assistant', () => describeAssistant(config.assistant));
        await check('mail', () => describeMail(config));
      }
      ops.print(
        results,
        table(
          results.map((result) => ({ ...result, ok: result.ok ? 'ok' : 'FAILED' })),
          ['check', 'ok', 'detail'],
        ),
      );
      if (results.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

async function checkDatabase(config: Config, check: RunCheck): Promise<void> {
  let installation: Installation | null = null;
  try {
    const isReached = await check('database', async () => {
      installation = await openInstallation(
        { ...config, apns: null, webPushKeyFile: null, assistant: null, smtp: null },
        createLogger('silent'),
        {
          runsJobs: (config.databasePoolMax ?? Number.POSITIVE_INFINITY) >= FEWEST_CONNECTIONS.withJobs,
        },
      );
      return describeServer(installation);
    });
    if (!isReached || !installation) return;
    const { services, databaseUrl } = installation as Installation;
    const isOurs = await check('schema', () => describeSchema(services));
    await check('sessions', async () => {
      await ensureOwnSessions(databaseUrl);
      return 'each connection has a session of its own';
    });
    if (isOurs && (await schemaState(services)).pending.length === 0) {
      await check('rights', async () => {
        await ensureRights(services.pool);
        return 'calls and jobs may read and write';
      });
    }
    await check('connections', () => describeConnections(services));
    await check('clock', () => describeClock(services));
  } finally {
    await (installation as Installation | null)?.close();
  }
}

async function describeServer({ services, isEmbedded }: Installation): Promise<string> {
  const { rows } = await services.pool.query<{ version: string; ctype: string }>(
    `select current_setting('server_version') as version, datctype as ctype from pg_database where datname = current_database()`,
  );
  const { version, ctype } = rows[0]!;
  // Names and addresses are unique by `lower()`, which then knows only ASCII.
  const note =
    ctype === 'C' || ctype === 'POSIX'
      ? `, LC_CTYPE is ${ctype}: names that differ in É and é are not the same`
      : '';
  return `PostgreSQL ${version}, ${isEmbedded ? 'embedded' : 'DATABASE_URL'}${note}`;
}

async function describeSchema(services: Services): Promise<string> {
  const { pending, later } = await ensureOurs(services);
  if (later.length > 0)
    return `migrations of a later version, with which this one works: ${later.join(', ')}`;
  return pending.length > 0
    ? `pending migrations: ${pending.length} (the next start or \`pnpm ops migrate\` applies them)`
    : 'schema up to date';
}

/** Compares what a process opens at most with what the server allows. */
async function describeConnections({ poolSizes, pool, databaseUrl }: Services): Promise<string> {
  const limit = await readServerLimit(databaseUrl);
  const { rows } = await pool.query<{ open: number }>(
    `select count(*)::integer as open from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const max = sumOfPools(poolSizes);
  const detail = `a process opens at most ${max} (DATABASE_POOL_MAX); the server allows ${limit}: enough for ${Math.floor(limit / max)} processes. Now ${rows[0]!.open} are open`;
  if (max > limit)
    throw new TypeError(`${detail}. Lower DATABASE_POOL_MAX, or raise max_connections of the server`);
  return detail;
}

async function describeClock({ pool }: Services): Promise<string> {
  const startedAt = Date.now();
  const { rows } = await pool.query<{ now: string }>(
    'select extract(epoch from clock_timestamp()) * 1000 as now',
  );
  const apartMs = Number(rows[0]!.now) - (startedAt + Date.now()) / 2;
  const seconds = `${(Math.abs(apartMs) / 1_000).toFixed(1)} s ${apartMs > 0 ? 'behind' : 'ahead of'} the database's`;
  if (Math.abs(apartMs) > CLOCK_MS)
    throw new TypeError(
      `the clock of this machine is ${seconds}: set both by NTP. Scheduled jobs and signatures of pushes use this machine's clock`,
    );
  return `${seconds}`;
}

/** Writes, reads and deletes a content where files are stored. */
async function describeObjects(config: Config): Promise<string> {
  const store = objectStoreOf(config);
  try {
    await store.check();
  } catch (error) {
    throw new TypeError(
      `files of messages cannot be stored: ${store.place}: ${(error as Error).message}. Check OBJECT_STORE_URL and the rights of its credentials`,
    );
  }
  const isOwn = config.objectStoreUrl === null && config.databaseUrl !== null;
  return isOwn
    ? `${store.place}: if gateways run on several machines, set OBJECT_STORE_URL to a place that they share`
    : store.place;
}

/** Scans a small content without malware. */
async function describeScanner({ scanCommand }: Config): Promise<string> {
  if (scanCommand === null) return 'not configured: files are not scanned for malware';
  const found = await commandScanner(scanCommand).scan(Readable.from([Buffer.from('firmdesk')]));
  if (found === 'clean') return scanCommand;
  throw new TypeError(`"${scanCommand}" says that a harmless file is infected: check SCAN_COMMAND`);
}

async function describePush(apns: ApnsConfig | null): Promise<string> {
  if (!apns) return 'not configured: pushes are recorded and not sent';
  const { keyFile, keyId, teamId, caFile } = apns;
  ensurePushKey(await readVariable('APNS_KEY_FILE', keyFile), keyFile);
  if (caFile) {
    const ca = await readVariable('APNS_CA_FILE', caFile);
    try {
      new X509Certificate(ca);
    } catch {
      throw new TypeError(`APNS_CA_FILE ${caFile} is not a certificate in PEM form`);
    }
  }
  return `key ${keyId} of team ${teamId}`;
}

function ensurePushKey(text: string, path: string): void {
  let curve: string | undefined;
  try {
    curve = createPrivateKey(text).asymmetricKeyDetails?.namedCurve;
  } catch {
    throw new TypeError(
      `APNS_KEY_FILE ${path} is not a private key in PEM form: use the .p8 file from Apple`,
    );
  }
  if (curve !== 'prime256v1')
    throw new TypeError(
      `APNS_KEY_FILE ${path} is a key of another kind: use the .p8 file from Apple (P-256)`,
    );
}

async function describeBrowserPush({ webPushKeyFile: file, publicUrl }: Config): Promise<string> {
  if (file === null)
    return 'not configured: browsers are offered no pushes. `pnpm ops web-push-key` makes the key of WEB_PUSH_KEY_FILE';
  const pem = await readVariable('WEB_PUSH_KEY_FILE', file);
  const note = publicUrl?.startsWith('https:') ? '' : '; browsers subscribe only at https: set PUBLIC_URL';
  try {
    return `public key ${readVapidKey(pem).publicKey}${note}`;
  } catch {
    throw new TypeError(
      `WEB_PUSH_KEY_FILE ${file} is not a P-256 private key in PEM form: make one with \`pnpm ops web-push-key\``,
    );
  }
}

async function readVariable(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EISDIR'
        ? 'is a folder: name the file in it'
        : code === 'ENOENT'
          ? 'does not exist'
          : `cannot be read (${code})`;
    throw new TypeError(`${name} ${path} ${reason}`);
  }
}

/** Sends a request like those of replies. */
async function describeAssistant(assistant: AssistantConfig | null): Promise<string> {
  if (!assistant) return 'demo assistant';
  const { baseUrl, model } = assistant;
  const { ok, detail } = await checkModel({ baseUrl, model, apiKey: await readAssistantKey(assistant) });
  if (!ok) throw new TypeError(detail);
  return detail;
}

/** Connects to the mail server and signs in. */
async function describeMail({ smtp, mailDomains }: Config): Promise<string> {
  if (!smtp) return 'no mail server is configured (SMTP_URL): mail to the outside is not sent';
  const server = await openMailServer(smtp, mailDomains, createLogger('silent'));
  try {
    await server.check();
  } catch (error) {
    throw new TypeError(`the mail server of SMTP_URL cannot be used: ${(error as Error).message}`);
  } finally {
    await server.close();
  }
  const { host } = new URL(smtp.url);
  const notes = [
    mailDomains.length === 0
      ? 'returned mail goes to its sender: set MAIL_DOMAINS'
      : `returned mail comes to ${mailDomains[0]}`,
    smtp.dkim
      ? `signed with the key ${smtp.dkim.selector}`
      : 'not signed: set DKIM_KEY_FILE, unless the server signs',
  ];
  return `${host}; ${notes.join('; ')}`;
}
