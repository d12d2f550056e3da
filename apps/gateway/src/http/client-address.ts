import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { type Log, silentLog } from '@firmdesk/domain';

/** The proxies whose `X-Forwarded-For` is trusted: a number of hops, or addresses and CIDR ranges. */
export type TrustedProxies = { hops: number } | { ranges: readonly string[] };

/** Returns the client's address of a request or a websocket upgrade. */
export type AddressOf = (req: IncomingMessage) => string;

export const NO_PROXIES: TrustedProxies = { hops: 0 };

const NOT_TRUSTED =
  'X-Forwarded-For was ignored, because it came from an address that TRUSTED_PROXIES does not list. Limits by address count \
this address as the client. If it is your proxy, add it to TRUSTED_PROXIES.';

/**
 * Returns the function that determines a client's address. It reads `X-Forwarded-For` from the right, where the nearest proxy
 * appends, and stops at the first address that is not trusted, so it never reaches values that the client wrote. It also stops
 * at an invalid entry. Logs once when an untrusted peer sends the header: clients behind an unlisted proxy share one address.
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
 * Parses `TRUSTED_PROXIES`: a number of hops, or a comma-separated list of addresses and CIDR ranges. Throws a
 * RangeError for any other value.
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

/** Returns the address without a port, which some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function bareAddress(entry: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) ? bare : null;
}
