import { isIPv6 } from 'node:net';

/** How many of the eight groups of an IPv6 address identify the network. */
const NETWORK_GROUPS = 4;

/**
 * Returns the key under which a limit by address counts: the IPv4 address, or the /64 network of an IPv6 address, because
 * one customer gets a whole /64. An IPv4-mapped address (`::ffff:192.0.2.1`) counts as the IPv4 address.
 */
export function addressKey(address: string): string {
  const bare = address.split('%')[0]!;
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.');
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Returns the network of an address, which does not identify a person by itself: /24 of an IPv4 address, /48 of an IPv6 address. */
export function networkOf(address: string): string {
  const key = addressKey(address);
  return key.includes(':') ? `${key.split(':').slice(0, 3).join(':')}::/48` : key.replace(/\.\d+$/, '.0/24');
}

/** Returns the eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [head, tail] = address.split('::') as [string, string?];
  const before = numbersOf(head);
  if (tail === undefined) return before;
  const after = numbersOf(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** Returns the groups of a part of an address; a dotted end (`192.0.2.1`) is two groups. */
function numbersOf(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  });
}
