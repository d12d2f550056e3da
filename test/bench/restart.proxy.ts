import type { Node } from '../faults/node.ts';
import { proxyKinds, startProxy } from '../operations/proxies/proxy.ts';

/** The variables of gateways behind the proxy. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1', DRAIN_SECONDS: '3' };

/** More than the sockets and the callers of the bench. */
const MAX_CONNECTIONS = 5_000;

/** Returns the addresses that clients call: of HAProxy with its example configuration, or without it of the gateways. */
export async function openFront(
  gateways: readonly Node[],
  proxy: string | undefined,
): Promise<AsyncDisposable & { urls: string[] }> {
  const urls = gateways.map(({ url }) => url);
  if (proxy === undefined) return { urls, async [Symbol.asyncDispose]() {} };
  if (proxy !== 'reuse' && proxy !== 'close')
    throw new Error(`\`--proxy\` must be \`reuse\` or \`close\`, not ${JSON.stringify(proxy)}.`);
  const haproxy = proxyKinds.find(({ program }) => program === 'haproxy')!;
  const front = await startProxy(haproxy, [urls[0]!, urls[1]!], proxy === 'reuse', MAX_CONNECTIONS);
  return { urls: [front.url], [Symbol.asyncDispose]: () => front[Symbol.asyncDispose]() };
}
