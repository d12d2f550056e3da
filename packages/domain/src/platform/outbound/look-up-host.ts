import { type LookupAddress, promises } from 'node:dns';

const QUERY = { timeout: 1_000, tries: 2 };

const THIS_MACHINE: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

type Found = (error: Error | null, addresses: LookupAddress[]) => void;
/** `dns.lookup` with `all`. */
export type LookUp = (name: string, options: { all: true }, found: Found) => void;

/** Returns whether a host is this machine by its name (RFC 6761). */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Returns a function that looks hosts up in the DNS, by the servers of the system or others. `dns.lookup` instead occupies one of the few threads
 * that files and passwords need, as long as a server takes whose name somebody else chose.
 */
export function lookUpInDns(servers: readonly string[] = []): LookUp {
  const find = async (name: string): Promise<LookupAddress[]> => {
    if (isThisMachine(name)) return [...THIS_MACHINE];
    const resolver = new promises.Resolver(QUERY);
    if (servers.length > 0) resolver.setServers(servers);
    const results = await Promise.allSettled([
      resolver.resolve4(name).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(name).then((found) => found.map((address) => ({ address, family: 6 }))),
    ]);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const [first] = results;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
  return (name, _options, found) => {
    find(name).then(
      (addresses) => found(null, addresses),
      (error: Error) => found(error, []),
    );
  };
}
