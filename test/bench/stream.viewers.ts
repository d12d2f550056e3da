import { WebSocket } from 'ws';

/** The parameters of the viewers. */
export interface ViewerParameters {
  gateways: string[];
  token: string;
  tickets: string[];
  viewers: number;
}

/** The text of each viewer, and the latency of each token in milliseconds. */
export interface ViewerResult {
  texts: [ticket: string, text: string][];
  latencies: number[];
  /** Deltas that did not start at the end of the text. */
  gaps: number;
  /** Text events that the first viewer received. */
  deltasOfFirst: number;
}

/** Below the gateway's limit of sockets per address. */
const PER_ADDRESS = 90;

process.on('message', (watching: ViewerParameters) => void watch(watching));

async function watch({ gateways, token, tickets, viewers }: ViewerParameters): Promise<void> {
  const seen: ViewerResult = { texts: [], latencies: [], gaps: 0, deltasOfFirst: 0 };
  const ends: Promise<void>[] = [];
  const started: Promise<void>[] = [];
  for (let n = 0; n < viewers; n++) {
    const ticket = tickets[n % tickets.length]!;
    const url = gateways[Math.floor(n / tickets.length) % gateways.length]!;
    const { promise: isStarted, resolve: start } = Promise.withResolvers<void>();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    started.push(isStarted);
    ends.push(isOver);
    follow(url, token, ticket, `127.0.0.${2 + Math.floor(n / PER_ADDRESS)}`, seen, n === 0, start, end);
    // Connect in groups: connecting is not measured.
    if (n % 50 === 49) await Promise.all(started);
  }
  await Promise.all(started);
  process.send!('ready');
  await Promise.all(ends);
  process.send!(seen, () => process.exit(0));
}

function follow(
  url: string,
  token: string,
  ticket: string,
  localAddress: string,
  seen: ViewerResult,
  isFirst: boolean,
  start: () => void,
  end: () => void,
): void {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/trpc?connectionParams=1`, { localAddress });
  let text = '';
  ws.on('open', () => {
    ws.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
    const params = { path: 'tickets.stream', input: { json: { ticket } } };
    ws.send(JSON.stringify({ id: 1, method: 'subscription', params }));
  });
  ws.on('message', (data) => {
    const frame = String(data);
    if (frame === 'PING') return ws.send('PONG');
    const { result, error } = JSON.parse(frame);
    if (error) throw new Error(frame);
    if (result.type === 'started') start();
    if (result.type !== 'data') return;
    const event = result.data.json.data;
    if (event.type === 'text_delta') {
      const now = Date.now();
      if (event.offset !== text.length) seen.gaps++;
      text += event.text;
      if (isFirst) seen.deltasOfFirst++;
      for (const sent of event.text.trim().split(' ')) seen.latencies.push(now - Number(sent));
    }
    if (event.type === 'message.updated' && !event.message.streaming) {
      seen.texts.push([ticket, text]);
      ws.close();
      end();
    }
  });
}
