import { connect } from 'node:net';

/** Sends the lines of a request unchanged and returns the raw response, up to its end or until the server closes. */
export function exchange(url: string, lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    answer += text;
    const [head, body] = answer.split('\r\n\r\n');
    const length = /^content-length: (\d+)/im.exec(head!)?.[1];
    if (body !== undefined && length !== undefined && body.length >= Number(length)) socket.destroy();
  });
  socket.on('error', reject);
  socket.on('close', () => resolve(answer));
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return promise;
}
