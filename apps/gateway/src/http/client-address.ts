import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { type Log, silentLog } from '@firmdesk/domain';

/** Proxies whose `X-Forwarded-For` is believed: so many of them in a row, or those of these addresses and CIDR ranges. */
export type TrustedProxies = { hops: number } | { ranges: readonly string[] };

/** The address of the client of a request, over HTTP and at a socket's upgrade alike. */
export type AddressOf = (req: IncomingMessage) => string;

export const NO_PROXIES: TrustedProxies = { hops: 0 };

const NOT_TRUSTED =
  'X-Forwarded-For came from an address that TRUSTED_PROXIES does not name, and is ignored: limits by address count that \
address as the client. Where it is a proxy of yours, name it in TRUSTED_PROXIES.';

/**
 * Follows `X-Forwarded-For` from its end, where the nearest proxy writes, for as long as whoever wrote is trusted: what a
 * client claims of itself stands further left and is never reached. An entry that is no address ends the walk. Logs once when
 * somebody who is not trusted sends the header: clients behind a proxy that was not named share one address.
 */
export function clientAddress(trusted: TrustedProxies, log: Log = silentLog): AddressOf {
  const isTrusted = trustOf(trusted);
  let hasWarned = false;
  return function addressOf(req) {
    let address = req.socket.remoteAddress ?? '';
    const header = req.headers['x-forwarded-for'];
    if (header === undefined) return address;
    if (!isTrusted(address, 0)) {
      if (!hasWarned) log.warn({ address }, NOT_TRUSTED);
      hasWarned = true;
      return address;
    }
    const entries = String(header).split(',').reverse();
    for (const [hop, entry] of entries.entries()) {
      const next = bareAddress(entry.trim());
      if (next === null) break;
      address = next;
      if (!isTrusted(address, hop + 1)) break;
    }
    return address;
  };
}

/**
 * Reads `TRUSTED_PROXIES`: a number of hops, or addresses and CIDR ranges with commas between. Throws a RangeError for
 * anything else.
 */
export function readTrustedProxies(text: string): TrustedProxies {
  if (/^\d{1,2}$/.test(text)) return { hops: Number(text) };
  const ranges = text.split(',').map((range) => range.trim());
  blockListOf(ranges);
  return { ranges };
}

function trustOf(trusted: TrustedProxies): (address: string, hop: number) => boolean {
  if ('hops' in trusted) return (_, hop) => hop < trusted.hops;
  const list = blockListOf(trusted.ranges);
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, prefix, ...rest] = range.split('/') as [string, string?];
    const bits = isIP(address) === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (isIP(address) === 0 || rest.length > 0 || !(length <= bits)) {
      throw new RangeError(`${range} is neither an address nor a CIDR range`);
    }
    list.addSubnet(address, length, familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function bareAddress(entry: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) ? bare : null;
}
