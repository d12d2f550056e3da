import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface DnsServer extends AsyncDisposable {
  /** Its address, as a resolver takes it. */
  address: string;
  /** The names that were asked for, with the type, such as `TXT _dmarc.firm.example`. */
  asked: string[];
  /** The following questions about a name, or about all names, are not answered. */
  silence(name: string | 'all'): void;
}

const TYPES: Record<number, string> = { 1: 'A', 5: 'CNAME', 15: 'MX', 16: 'TXT', 28: 'AAAA' };
const NXDOMAIN = 3;

/** Starts a DNS server on this machine that knows these texts (`TXT`) and addresses (`A`), and no other record. */
export async function startDnsServer(
  texts: Readonly<Record<string, string>>,
  addresses: Readonly<Record<string, string>> = {},
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const silent = new Set<string>();
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${TYPES[type] ?? type} ${name}`);
    if (silent.has(name) || silent.has('all')) return;
    const isKnown = name in texts || name in addresses;
    const text = TYPES[type] === 'TXT' ? texts[name] : undefined;
    const address = TYPES[type] === 'A' ? addresses[name] : undefined;
    const records = [
      ...(text === undefined ? [] : [textRecord(text)]),
      ...(address === undefined ? [] : [record(1, Buffer.from(address.split('.').map(Number)))]),
    ];
    const answer = Buffer.concat([
      query.subarray(0, 2),
      // A response, recursion available.
      Buffer.from([0x81, 0x80 | (isKnown ? 0 : NXDOMAIN), 0, 1, 0, records.length, 0, 0, 0, 0]),
      query.subarray(12, end),
      ...records,
    ]);
    socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    silence: (name) => silent.add(name),
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record with a text in strings of at most 255 bytes. */
function textRecord(text: string): Buffer {
  const strings = text.match(/.{1,255}/gs) ?? [''];
  const data = Buffer.concat(
    strings.flatMap((string) => [Buffer.from([string.length]), Buffer.from(string, 'latin1')]),
  );
  return record(16, data);
}

/** A record whose name is that of the question. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
