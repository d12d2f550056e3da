import { Agent, request as httpRequest } from 'node:http';

/** A raw HTTP request. */
export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export interface Received {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends requests that `fetch` would refuse or correct. */
export function send(url: string, { method, path, headers, body }: RawRequest): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const all = { ...headers, ...(body && { 'content-length': String(body.length) }) };
    const req = httpRequest({ agent, hostname, port, method, path, headers: all }, async (res) => {
      try {
        const text = Buffer.concat(await res.toArray()).toString();
        const pairs = Object.entries(res.headersDistinct).map(([name, values]) => [name, values!.join(', ')]);
        resolve({ status: res.statusCode!, headers: Object.fromEntries(pairs), text });
      } catch (error) {
        reject(error);
      }
    });
    req.setTimeout(30_000, () => req.destroy(new Error('No answer in 30 s.')));
    req.on('error', (error) =>
      reject(new Error(`No answer: ${error.message}\n${curl(url, { method, path, headers, body })}`)),
    );
    req.end(body ?? undefined);
  });
}

/** Returns the request as a curl command. */
export function curl(url: string, { method, path, headers, body }: RawRequest): string {
  const flags = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const parts = ['curl -gsi --path-as-is', `-X ${method}`, ...flags];
  const isPlain = body === null || /^[\x20-\x7e]*$/.test(body.toString('latin1'));
  if (body && isPlain) parts.push(`--data-binary ${quoted(body.toString())}`);
  const line = [...parts, ...(isPlain ? [] : ['--data-binary @-']), quoted(`${url}${path}`)].join(' ');
  return isPlain ? line : `echo ${body.toString('base64')} | base64 -d | ${line}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
