import { parseArgs } from 'node:util';
import {
  type ApnsReceived,
  type ApnsScript,
  CERTIFICATE_FILE,
  KEY_FILE,
  openApnsServer,
} from './apns-server.ts';

const HELP = `Usage: pnpm apns-standin [--port 4197] [--answers 200,429:30,503,stall]

Starts a stand-in for Apple's push service on this machine, and prints each push that it receives. --answers sets the first
responses: a status, optionally with :SECONDS for Retry-After or :REASON; or stall, reset or goaway. All later ones are 200.
`;

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadDeviceToken',
  403: 'InvalidProviderToken',
  410: 'Unregistered',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4197' },
      answers: { type: 'string', default: '' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new TypeError('--port must be an integer between 0 and 65535.');
  const scripts = values.answers === '' ? [] : values.answers.split(',').map(scriptOf);
  const server = await openApnsServer({ port, onReceived: print });
  server.script(...scripts);
  process.stdout.write(`The stand-in for Apple's push service listens on ${server.url}. To send pushes to it, run:

  APNS_KEY_FILE=${KEY_FILE} APNS_KEY_ID=STANDIN001 APNS_TEAM_ID=STANDIN001 \\
  APNS_TOPIC_MAIL=example.mail APNS_TOPIC_CALENDAR=example.calendar APNS_TOPIC_ADMIN=example.admin \\
  APNS_PRODUCTION_URL=${server.url} APNS_SANDBOX_URL=${server.url} \\
  APNS_CA_FILE=${CERTIFICATE_FILE} pnpm start

`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server[Symbol.asyncDispose]());
  }
}

function scriptOf(text: string): ApnsScript {
  if (text === 'stall' || text === 'reset' || text === 'goaway') return text;
  const match = /^([2-5]\d\d)(?::(\w+))?$/.exec(text);
  if (!match)
    throw new TypeError(
      `--answers: "${text}" must be a status from 200 to 599, optionally with :SECONDS or :REASON, or stall, reset or goaway.`,
    );
  const status = Number(match[1]);
  const detail = match[2];
  const isRetryAfter = detail !== undefined && /^\d+$/.test(detail);
  return {
    status,
    reason: isRetryAfter || detail === undefined ? (REASONS[status] ?? 'Unknown') : detail,
    ...(isRetryAfter && { retryAfter: Number(detail) }),
    ...(status === 410 && { timestamp: Date.now() }),
  };
}

function print({ deviceToken, headers, payload, bytes, answered }: ApnsReceived): void {
  const response =
    typeof answered === 'string' ? answered : `${answered.status} ${answered.reason ?? ''}`.trim();
  const alert = payload?.aps?.alert;
  process.stdout.write(
    `${response}  ${headers['apns-topic']}  phone ${deviceToken.slice(0, 8)}…  ${bytes} bytes  apns-id ${headers['apns-id']}\n` +
      `  ${alert?.title ?? ''}\n  ${alert?.body ?? ''}\n${indented(payload)}\n\n`,
  );
}

function indented(payload: unknown): string {
  return JSON.stringify(payload, null, 2).replaceAll(/^/gm, '  ');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
