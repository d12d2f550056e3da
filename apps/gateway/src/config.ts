import { Resolver } from 'node:dns';
import { resolve } from 'node:path';
import { describeIssue } from '@firmdesk/contract';
import {
  FEWEST_CONNECTIONS,
  openObjectStore,
  type ReceivingRules,
  readDatabaseUrl,
  readScanCommand,
  readSmtpUrl,
} from '@firmdesk/domain';
import { z } from 'zod';
import { NO_PROXIES, readTrustedProxies, type TrustedProxies } from './http/client-address.ts';
import { type AllowedOrigins, NO_ORIGINS, readOrigins } from './http/cors.ts';

export const roles = ['all', 'gateway', 'worker'] as const;
export type Role = (typeof roles)[number];

/** The connection to Apple's push service. */
export interface ApnsConfig {
  keyFile: string;
  keyId: string;
  teamId: string;
  topics: { mail: string; calendar: string; admin: string };
  productionUrl: string;
  sandboxUrl: string;
  caFile: string | null;
}

export interface AssistantConfig {
  baseUrl: string;
  apiKey: string | null;
  /** A file with the key, which SIGHUP reads again. */
  apiKeyFile: string | null;
  model: string;
}

/** A listener for received mail. */
export interface MailListenerConfig {
  protocol: 'lmtp' | 'smtp';
  host: string;
  port: number;
  rules: ReceivingRules;
}

/** The mail server that takes mail to the outside. */
export interface SmtpConfig {
  url: string;
  passwordFile: string | null;
  dkim: { keyFile: string; selector: string } | null;
}

/** All settings from the environment, read once and passed as values. */
export interface Config {
  host: string;
  port: number;
  /** Null: derived from HOST and PORT. */
  publicUrl: string | null;
  dataDir: string;
  /** Null: the embedded database server. */
  databaseUrl: string | null;
  /** Null: no replica. */
  databaseReplicaUrl: string | null;
  /** Where files are stored; null: in the data directory. See `openObjectStore`. */
  objectStoreUrl: string | null;
  /** Whether webhooks may be sent to this machine, also without TLS. */
  /** The file with the private key of pushes to browsers; null: none are sent. */
  webPushKeyFile: string | null;
  allowsLoopbackWebhooks: boolean;
  /** Whether the OpenID provider of a firm may have a private address and no TLS. */
  allowsPrivateProviders: boolean;
  /** The program that scans files for malware; null: none. */
  scanCommand: string | null;
  /** The maximum number of connections of the process. Null: a sixth of what the server has. */
  databasePoolMax: number | null;
  /** Null: demo data if the database is embedded and empty. */
  demo: boolean | null;
  apns: ApnsConfig | null;
  assistant: AssistantConfig | null;
  /** The domains of the installation's mail, in lower case. */
  mailDomains: readonly string[];
  /** Null: mail to the outside is not sent. */
  smtp: SmtpConfig | null;
  rateLimitPerMinute: number;
  limitsSignIns: boolean;
  /** The maximum number of unauthenticated websockets of one address. */
  socketsPerAddress: number;
  /** How long a drain still accepts connections. */
  drainSeconds: number;
  trustedProxies: TrustedProxies;
  corsOrigins: AllowedOrigins;
  logLevel: (typeof logLevels)[number];
  metrics: boolean;
  /** The endpoint of OpenTelemetry; null: no traces. Its SDK reads the variable itself. */
  otlpEndpoint: string | null;
  /** The port of health and metrics; null: that of the calls. */
  metricsPort: number | null;
  /** Where a mail server hands over mail. */
  mailListeners: readonly MailListenerConfig[];
}

/** The configuration is invalid. The message lists every problem. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export const DEFAULT_SOCKETS_PER_ADDRESS = 100;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const integerBetween = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be an integer from ${min} to ${max}`);
const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');
const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an http or https URL, such as https://desk.example.com',
});
const webUrl = webAddress.transform((url) => url.replace(/(?<!\/)\/+$/, ''));

/** May have a query, which some endpoints select their version by. */
const modelUrl = webAddress.refine((text) => {
  const url = URL.parse(text);
  return !url?.username && !url?.password;
}, 'must not contain a user name or a password: use ASSISTANT_API_KEY');

/** A text that a function reads. It throws what is wrong with it. */
const readBy = <T>(read: (text: string) => T, form = '') =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue(`${form}${(error as Error).message}`);
      return z.NEVER;
    }
  });

/** A text that a function reads, and that is kept as it is. */
const checkedBy = (read: (text: string) => unknown) =>
  readBy((text) => {
    read(text);
    return text;
  });

const database = checkedBy(readDatabaseUrl);
const objectStore = checkedBy(openObjectStore);
const smtpUrl = checkedBy(readSmtpUrl);
const scanCommand = checkedBy(readScanCommand);
const proxies = readBy(
  readTrustedProxies,
  'must be a number of hops, or a list of addresses and CIDR ranges with commas between: ',
);
const origins = readBy(readOrigins, 'must be a list of origins with commas between: ');

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const domains = z
  .string()
  .transform((text) => text.split(',').map((domain) => domain.trim().toLowerCase()))
  .refine(
    (list) => list.every((domain) => DOMAIN.test(domain)),
    'must be a list of domains with commas between, such as desk.example.com',
  );

/** `off` is null. */
const dnsServers = z
  .string()
  .transform((text) => (text === 'off' ? null : text.split(',').map((server) => server.trim())))
  .refine(
    (servers) => servers === null || servers.every(isDnsServer),
    'must be off, or a list of addresses with commas between, such as 192.0.2.53 or 127.0.0.1:5353',
  );

function isDnsServer(address: string): boolean {
  try {
    new Resolver().setServers([address]);
    return true;
  } catch {
    return false;
  }
}

/** The variables, by name. docs/operations/configuration.md describes each of them. */
export const variables = {
  PORT: integerBetween(0, 65_535).default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: webUrl.nullable().default(null),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: database.nullable().default(null),
  DATABASE_REPLICA_URL: database.nullable().default(null),
  DATABASE_PASSWORD_FILE: z.string().nullable().default(null),
  OBJECT_STORE_URL: objectStore.nullable().default(null),
  SIGN_IN_PRIVATE_PROVIDERS: flag.default(false),
  SCAN_COMMAND: scanCommand.nullable().default(null),
  DATABASE_POOL_MAX: integerBetween(FEWEST_CONNECTIONS.withoutJobs, 1_000).nullable().default(null),
  DEMO: flag.nullable().default(null),
  APNS_KEY_FILE: z.string().optional(),
  APNS_KEY_ID: z.string().optional(),
  APNS_TEAM_ID: z.string().optional(),
  APNS_TOPIC_MAIL: z.string().optional(),
  APNS_TOPIC_CALENDAR: z.string().optional(),
  APNS_TOPIC_ADMIN: z.string().optional(),
  APNS_PRODUCTION_URL: webUrl.default('https://api.push.apple.com'),
  APNS_SANDBOX_URL: webUrl.default('https://api.sandbox.push.apple.com'),
  APNS_CA_FILE: z.string().nullable().default(null),
  ASSISTANT_BASE_URL: modelUrl.optional(),
  ASSISTANT_API_KEY: z.string().nullable().default(null),
  ASSISTANT_API_KEY_FILE: z.string().nullable().default(null),
  ASSISTANT_MODEL: z.string().optional(),
  SMTP_URL: smtpUrl.nullable().default(null),
  SMTP_PASSWORD_FILE: z.string().nullable().default(null),
  MAIL_DOMAINS: domains.default([]),
  DKIM_KEY_FILE: z.string().optional(),
  DKIM_SELECTOR: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,62}$/, 'must be the name of the key in DNS, such as "mail1"')
    .optional(),
  WEB_PUSH_KEY_FILE: z.string().nullable().default(null),
  WEBHOOK_LOOPBACK: flag.default(false),
  SIGN_IN_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  RATE_LIMIT_PER_MINUTE: integerBetween(0, 10_000_000).default(6000),
  SOCKETS_PER_ADDRESS: integerBetween(1, 1_000_000).default(DEFAULT_SOCKETS_PER_ADDRESS),
  // Below the 22.5 s that the whole drain may take.
  DRAIN_SECONDS: integerBetween(0, 20).default(1),
  TRUSTED_PROXIES: proxies.default(NO_PROXIES),
  CORS_ORIGINS: origins.default(NO_ORIGINS),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  METRICS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.nullable().default(null),
  METRICS_PORT: integerBetween(0, 65_535).nullable().default(null),
  LMTP_PORT: integerBetween(0, 65_535).nullable().default(null),
  SMTP_LISTEN_PORT: integerBetween(0, 65_535).nullable().default(null),
  LMTP_HOST: z.string().min(1).default('127.0.0.1'),
  LMTP_SPAM_HEADER: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the name of a header field')
    .default('X-Spam-Flag'),
  LMTP_TRUSTED_HOSTS: z.string().default(''),
  LMTP_DNS_SERVERS: dnsServers.default([]),
};
const Variables = z.object(variables);

/** The prefixes of Firmdesk's own variables. An unknown name with such a prefix is probably misspelled. */
export const OWN_PREFIXES =
  /^(APNS_|ASSISTANT_|SMTP_|MAIL_|DKIM_|OBJECT_STORE_|SCAN_|SIGN_IN_|RATE_LIMIT_|LMTP_|SOCKETS_|CORS_|WEB_PUSH_|WEBHOOK_|FIRMDESK_)/;

const requiredApnsVariables = [
  'APNS_KEY_FILE',
  'APNS_KEY_ID',
  'APNS_TEAM_ID',
  'APNS_TOPIC_MAIL',
  'APNS_TOPIC_CALENDAR',
  'APNS_TOPIC_ADMIN',
] as const;

/**
 * Reads and validates the configuration from environment variables.
 *
 * @param baseDir the folder that a relative `DATA_DIR` starts from
 * @throws ConfigError
 */
export function readConfig(env: Record<string, string | undefined>, baseDir: string): Config {
  // Shells and compose files set unused variables to the empty string.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const problems = Object.keys(given)
    .filter((name) => OWN_PREFIXES.test(name) && !(name in variables))
    .map((name) => `${name} is unknown: correct its name or remove it`);
  const parsed = Variables.safeParse(given, { error: describeIssue });
  if (!parsed.success) {
    problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  }
  const tlsVariable = ['PGSSLMODE', 'PGSSLROOTCERT'].find((name) => name in given);
  if (tlsVariable && 'DATABASE_URL' in given && !given['DATABASE_URL']!.includes('sslmode='))
    problems.push(`${tlsVariable} has no effect: write sslmode into DATABASE_URL`);
  if ('DATABASE_REPLICA_URL' in given && !('DATABASE_URL' in given))
    problems.push('DATABASE_URL must be set, because DATABASE_REPLICA_URL is set');
  if ('DATABASE_PASSWORD_FILE' in given) {
    const problem = passwordFileProblem(given);
    if (problem) problems.push(`DATABASE_PASSWORD_FILE ${problem}`);
  }
  if ('ASSISTANT_API_KEY' in given && 'ASSISTANT_API_KEY_FILE' in given)
    problems.push('ASSISTANT_API_KEY and ASSISTANT_API_KEY_FILE are both set: remove one of them');
  problems.push(...smtpProblems(given));
  const missing = requiredApnsVariables.filter((name) => !(name in given));
  const apnsGiven = Object.keys(given).filter((name) => name.startsWith('APNS_') && name in variables);
  if (apnsGiven.length > 0 && missing.length > 0) {
    problems.push(`${missing.join(', ')} must be set, because ${apnsGiven.join(', ')} is set`);
  }
  if (
    !('ASSISTANT_BASE_URL' in given) &&
    ('ASSISTANT_API_KEY' in given || 'ASSISTANT_API_KEY_FILE' in given || 'ASSISTANT_MODEL' in given)
  ) {
    problems.push('ASSISTANT_BASE_URL must be set, because ASSISTANT_API_KEY or ASSISTANT_MODEL is set');
  }
  if ('ASSISTANT_BASE_URL' in given && !('ASSISTANT_MODEL' in given)) {
    problems.push('ASSISTANT_MODEL must be set, because ASSISTANT_BASE_URL is set');
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const values = parsed.data;
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    dataDir: resolve(baseDir, values.DATA_DIR),
    databaseUrl: withPasswordFile(values.DATABASE_URL, values.DATABASE_PASSWORD_FILE),
    databaseReplicaUrl: withPasswordFile(values.DATABASE_REPLICA_URL, values.DATABASE_PASSWORD_FILE),
    objectStoreUrl: values.OBJECT_STORE_URL,
    allowsPrivateProviders: values.SIGN_IN_PRIVATE_PROVIDERS,
    scanCommand: values.SCAN_COMMAND,
    webPushKeyFile: values.WEB_PUSH_KEY_FILE,
    allowsLoopbackWebhooks: values.WEBHOOK_LOOPBACK,
    databasePoolMax: values.DATABASE_POOL_MAX,
    demo: values.DEMO,
    apns: missing.length > 0 ? null : apnsOf(values),
    assistant: assistantOf(values),
    mailDomains: values.MAIL_DOMAINS,
    smtp: smtpOf(values),
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    limitsSignIns: values.SIGN_IN_LIMITS === 'on',
    socketsPerAddress: values.SOCKETS_PER_ADDRESS,
    drainSeconds: values.DRAIN_SECONDS,
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: values.CORS_ORIGINS,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS === 'on',
    metricsPort: values.METRICS_PORT,
    mailListeners: mailListenersOf(values),
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}

/** Returns the URL by which clients reach the service: `PUBLIC_URL`, or else `HOST` and the port. */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns why the password cannot be read from the file; null if it can. */
function passwordFileProblem(given: Record<string, string | undefined>): string | null {
  const url = given['DATABASE_URL'];
  if (url === undefined) return 'has no effect, because DATABASE_URL is not set';
  try {
    if (readDatabaseUrl(url).password !== undefined)
      return 'has no effect, because DATABASE_URL has a password: remove it there';
    readDatabaseUrl(withPasswordFile(url, given['DATABASE_PASSWORD_FILE']!)!);
  } catch (error) {
    // A problem of the URL itself is reported for it.
    const isOfFile = error instanceof Error && error.message.includes('password_file');
    return isOfFile ? 'cannot be read, or is empty' : null;
  }
  return null;
}

function mailListenersOf(values: z.infer<typeof Variables>): MailListenerConfig[] {
  const rules = {
    spamHeader: values.LMTP_SPAM_HEADER.toLowerCase(),
    trustedHosts: values.LMTP_TRUSTED_HOSTS.toLowerCase()
      .split(/[\s,]+/)
      .filter((host) => host !== ''),
    dnsServers: values.LMTP_DNS_SERVERS,
  };
  const ports = { lmtp: values.LMTP_PORT, smtp: values.SMTP_LISTEN_PORT };
  return (['lmtp', 'smtp'] as const).flatMap((protocol) => {
    const port = ports[protocol];
    return port === null ? [] : [{ protocol, host: values.LMTP_HOST, port, rules }];
  });
}

function apnsOf(values: z.infer<typeof Variables>): ApnsConfig {
  return {
    keyFile: values.APNS_KEY_FILE!,
    keyId: values.APNS_KEY_ID!,
    teamId: values.APNS_TEAM_ID!,
    topics: {
      mail: values.APNS_TOPIC_MAIL!,
      calendar: values.APNS_TOPIC_CALENDAR!,
      admin: values.APNS_TOPIC_ADMIN!,
    },
    productionUrl: values.APNS_PRODUCTION_URL,
    sandboxUrl: values.APNS_SANDBOX_URL,
    caFile: values.APNS_CA_FILE,
  };
}

function assistantOf(values: z.infer<typeof Variables>): AssistantConfig | null {
  const { ASSISTANT_BASE_URL: baseUrl, ASSISTANT_MODEL: model } = values;
  if (!baseUrl || !model) return null;
  return { baseUrl, model, apiKey: values.ASSISTANT_API_KEY, apiKeyFile: values.ASSISTANT_API_KEY_FILE };
}

/** Adds the file to the URL, which states everything about the connection. */
function withPasswordFile(url: string | null, file: string | null): string | null {
  if (url === null || file === null) return url;
  return `${url}${url.includes('?') ? '&' : '?'}password_file=${encodeURIComponent(file)}`;
}

/** Returns what is wrong with the variables of mail together. */
function smtpProblems(given: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  const url = URL.parse(given['SMTP_URL'] ?? '');
  for (const name of ['SMTP_PASSWORD_FILE', 'DKIM_KEY_FILE'])
    if (name in given && !('SMTP_URL' in given))
      problems.push(`SMTP_URL must be set, because ${name} is set`);
  if ('SMTP_PASSWORD_FILE' in given && url?.password)
    problems.push('SMTP_PASSWORD_FILE has no effect, because SMTP_URL has a password: remove it there');
  if ('SMTP_PASSWORD_FILE' in given && url && !url.username)
    problems.push('SMTP_URL must have a user, because SMTP_PASSWORD_FILE is set');
  const dkim = ['DKIM_KEY_FILE', 'DKIM_SELECTOR', 'MAIL_DOMAINS'];
  const missing = dkim.filter((name) => !(name in given));
  const set = dkim.filter((name) => name !== 'MAIL_DOMAINS' && name in given);
  if (set.length > 0 && missing.length > 0)
    problems.push(`${missing.join(', ')} must be set, because ${set.join(', ')} is set`);
  return problems;
}

function smtpOf(values: z.infer<typeof Variables>): SmtpConfig | null {
  const {
    SMTP_URL: url,
    SMTP_PASSWORD_FILE: passwordFile,
    DKIM_KEY_FILE: keyFile,
    DKIM_SELECTOR: selector,
  } = values;
  if (url === null) return null;
  return { url, passwordFile, dkim: keyFile && selector ? { keyFile, selector } : null };
}
