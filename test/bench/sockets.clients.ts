import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** The sockets of one client process: one per token. */
export interface ClientSockets {
  url: string;
  tokens: string[];
  /** The second byte of the local addresses `127.N.0.0`. */
  network: number;
}

/** The steps to take, in this order. The process answers with a {@link ClientReport}. */
export interface ClientCommand {
  /** Cuts all connections. */
  drop?: boolean;
  /** Opens all sockets, evenly over this time in seconds. Ends when all are subscribed. */
  connect?: number;
  /** Only counts. */
  count?: boolean;
}

export interface ClientReport {
  /** From the start until all sockets were subscribed. */
  seconds: number;
  /** The sockets that the server closed or refused. They connect again. */
  closed: number;
  reasons: Record<string, number>;
  /** From the start of each connection to its subscription. */
  milliseconds: number[];
  /** The events that all sockets received since the previous report. */
  events: number;
}

const RETRY_MS = 200;

const [{ url, tokens, network }] = (await once(process, 'message')) as [ClientSockets];
const open = new Set<WebSocket>();
let report = newReport();

process.on('message', (command: ClientCommand) => void take(command));

async function take({ drop, connect }: ClientCommand): Promise<void> {
  if (drop) for (const ws of open) ws.terminate();
  const began = performance.now();
  if (connect !== undefined) {
    await Promise.all(
      tokens.map(async (token, n) => {
        await setTimeout((n * connect * 1_000) / tokens.length);
        // Many addresses, because the gateway limits the unauthenticated sockets of each.
        const localAddress = `127.${network}.${n % 250}.${1 + (Math.floor(n / 250) % 250)}`;
        while (!(await subscribe(token, localAddress))) await setTimeout(RETRY_MS);
      }),
    );
  }
  report.seconds = (performance.now() - began) / 1_000;
  process.send!(report);
  report = newReport();
}

/** Opens a socket. Resolves with true when it is subscribed, or with false when it is closed first. */
function subscribe(token: string, localAddress: string): Promise<boolean> {
  const began = performance.now();
  return new Promise((resolve) => {
    const ws = new WebSocket(`${url.replace('http', 'ws')}/trpc?connectionParams=1`, {
      localAddress,
      perMessageDeflate: false,
    });
    ws.on('open', () => {
      open.add(ws);
      ws.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
      const params = { path: 'tickets.live', input: { json: {} } };
      ws.send(JSON.stringify({ id: 1, method: 'subscription', params }));
    });
    ws.on('message', (data) => {
      const frame = String(data);
      if (frame === 'PING') return ws.send('PONG');
      const { result, error } = JSON.parse(frame);
      if (error) return note(`error ${frame.slice(0, 200)}`);
      if (result?.type === 'data') report.events++;
      if (result?.type !== 'started') return;
      report.milliseconds.push(performance.now() - began);
      resolve(true);
    });
    ws.on('error', (error) => note(error.message));
    ws.on('close', (code, reason) => {
      // A socket that this process cut is closed with 1006 and is still in the set when it is cut.
      if (open.delete(ws) && code !== 1006) note(`${code} ${reason}`);
      resolve(false);
    });
  });
}

function note(reason: string): void {
  report.closed++;
  report.reasons[reason] = (report.reasons[reason] ?? 0) + 1;
}

function newReport(): ClientReport {
  return { seconds: 0, closed: 0, reasons: {}, milliseconds: [], events: 0 };
}
