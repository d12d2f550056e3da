/** A mail server on this machine that accepts everything at once, in a process of its own. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

let accepted = 0;
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, _session, callback) {
    stream.resume();
    stream.once('end', () => callback(null, `2.0.0 Ok: queued as ${++accepted}`));
  },
});
const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');
process.send?.({ url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}` });
