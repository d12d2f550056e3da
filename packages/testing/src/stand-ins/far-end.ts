import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A message as it arrived. */
interface Arrived {
  returnPath: string;
  to: string[];
  raw: string;
}

/** How the far end behaves to a recipient. */
type Behaviour =
  | 'accept'
  /** 550 to the recipient, or 554 to the message. */
  | 'refuse'
  | 'refuse-message'
  /** 450 to the recipient. */
  | 'greylist'
  /** Closes the connection after the message, without an answer. */
  | 'drop'
  /** Never answers the message. */
  | 'hang';

export interface FarEnd extends AsyncDisposable {
  url: string;
  /** The messages that were accepted, and those whose end was received without an answer. */
  accepted: Arrived[];
  unanswered: Arrived[];
  /** The following messages for an address are treated so. By default they are accepted. */
  behave(address: string, behaviour: Behaviour): void;
}

/** Starts a mail server on this machine that receives what is sent to the outside, and behaves as a test says. */
export async function startFarEnd(options: SMTPServerOptions = {}, host = '127.0.0.1'): Promise<FarEnd> {
  const behaviours = new Map<string, Behaviour>();
  const sockets = new Set<Socket>();
  const accepted: Arrived[] = [];
  const unanswered: Arrived[] = [];
  const answer = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    ...options,
    onRcptTo({ address }, _session, callback) {
      const behaviour = behaviours.get(address);
      if (behaviour === 'refuse') callback(answer(550, '5.1.1 No such user here'));
      else if (behaviour === 'greylist') callback(answer(450, '4.2.0 Greylisted, try again later'));
      else callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        const arrived = {
          returnPath: mailFrom === false ? '' : mailFrom.address,
          to,
          raw: Buffer.concat(chunks).toString(),
        };
        const behaviour = behaviours.get(to[0]!);
        if (behaviour === 'refuse-message') return callback(answer(554, '5.7.1 Refused as spam'));
        if (behaviour === 'drop' || behaviour === 'hang') {
          unanswered.push(arrived);
          if (behaviour === 'drop')
            for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.destroy();
          return;
        }
        accepted.push(arrived);
        callback(null, `2.0.0 Ok: queued as ${accepted.length}`);
      });
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${host}:${port}`,
    accepted,
    unanswered,
    behave: (address, behaviour) => behaviours.set(address, behaviour),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
