import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** A TCP proxy that tests can cut, stall and redirect. */
export interface TcpProxy extends AsyncDisposable {
  /** The target's URL through the proxy. */
  url: string;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /** Closes every connection; accepts new ones without forwarding anything. */
  stall(): void;
  /** Stops forwarding on the open connections, without closing them. */
  mute(): void;
  /** Stops forwarding on open and new connections, without closing them. */
  silence(): void;
  /** Stops forwarding the server's answers on each connection on which a client sends the text, until `restore`. */
  withholdAnswersTo(text: string): void;
  /** Forwards new connections; silenced ones stay silent. */
  acceptNew(): void;
  /** Closes every connection and forwards new ones. */
  restore(): void;
  /** Sends new connections to another target; open ones stay. */
  redirectTo(url: string): void;
}

/**
 * Starts a proxy to the host and port of a URL. With `socketFolder`, clients reach it through a Unix socket of PostgreSQL in this folder,
 * whose file is deleted with the proxy.
 */
export async function openTcpProxy(targetUrl: string, socketFolder?: string): Promise<TcpProxy> {
  let target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let mode: 'open' | 'cut' | 'stalled' = 'open';
  let withheld: string | null = null;
  const server = createServer((socket) => {
    track(socket);
    if (mode === 'cut') socket.destroy();
    if (mode !== 'open') return;
    const onward = connect(Number(target.port), target.hostname);
    track(onward);
    socket.pipe(onward).pipe(socket);
    socket.on('data', (chunk: Buffer) => {
      if (withheld !== null && chunk.includes(withheld)) onward.unpipe().pause();
    });
    socket.once('close', () => onward.destroy());
    onward.once('close', () => socket.destroy());
  });
  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  }
  const change = (to: typeof mode) => {
    mode = to;
    withheld = null;
    for (const socket of sockets) socket.destroy();
  };
  const mute = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const url = new URL(target);
  if (socketFolder === undefined) server.listen(0, '127.0.0.1');
  else server.listen(join(socketFolder, `.s.PGSQL.${url.port}`));
  await once(server, 'listening');
  if (socketFolder === undefined) {
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
  } else url.searchParams.set('host', socketFolder);
  return {
    url: url.href,
    cut: () => change('cut'),
    stall: () => change('stalled'),
    mute,
    silence() {
      mode = 'stalled';
      mute();
    },
    withholdAnswersTo(text) {
      withheld = text;
    },
    acceptNew() {
      mode = 'open';
    },
    restore: () => change('open'),
    redirectTo(to) {
      target = new URL(to);
    },
    async [Symbol.asyncDispose]() {
      change('cut');
      server.close();
      await once(server, 'close');
    },
  };
}
