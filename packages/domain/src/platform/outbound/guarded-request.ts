import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isThisMachine, type LookUp, lookUpInDns } from './look-up-host.ts';
import { isPublicAddress } from './public-address.ts';

/** Why a server was not asked, or gave no answer. Its text is for people. */
export class OutboundError extends Error {}

/** What tests replace: everything has the value for the internet by default. */
export interface OutboundNetwork {
  lookup?: LookUp;
  isAllowed?: (address: string) => boolean;
}

export interface OutboundRequest {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | Buffer;
  signal: AbortSignal;
}

/**
 * Returns the host of a URL in its normal form, which is the one that is checked and connected to: an address of version 6 has no brackets, and a
 * name no dot at its end, which means the same name.
 */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Returns whether a host is this machine by its name, or no name at all. */
function isLocalName(host: string): boolean {
  return host === '' || host.endsWith('.') || isThisMachine(host);
}

/** Returns whether a URL names an address that may not be reached, or this machine. The system does not look an address up. */
export function namesForbiddenAddress(
  url: URL,
  { isAllowed = isPublicAddress }: OutboundNetwork = {},
): boolean {
  const host = hostOf(url);
  if (isLocalName(host)) return !isAllowed('127.0.0.1');
  return isIP(host) !== 0 && !isAllowed(host);
}

/**
 * Sends a request to a server that somebody else has named. It connects only to a public address, which is checked when it connects, whatever
 * the name resolves to later, and follows no redirect. The caller limits the time, and destroys the answer. Throws {@link OutboundError}.
 */
export function guardedRequest(
  url: URL,
  { method, headers, body, signal }: OutboundRequest,
  network: OutboundNetwork = {},
): Promise<IncomingMessage> {
  const { lookup = lookUpInDns(), isAllowed = isPublicAddress } = network;
  if (namesForbiddenAddress(url, network)) return Promise.reject(new OutboundError('not a public address'));
  const lookupAllowed: LookupFunction = (name, _options, callback) =>
    lookup(name, { all: true }, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => isAllowed(address));
      if (allowed.length === 0) callback(error ?? new OutboundError('not a public address'), []);
      else callback(null, allowed);
    });
  const { protocol, port, pathname, search } = url;
  return new Promise((resolve, reject) => {
    const request = (protocol === 'https:' ? https : http).request(
      {
        protocol,
        method,
        hostname: hostOf(url),
        port,
        path: pathname + search,
        agent: false,
        lookup: lookupAllowed,
        signal,
        headers: { 'Accept-Encoding': 'identity', 'User-Agent': 'Firmdesk', ...headers },
        maxHeaderSize: 16_384,
      },
      resolve,
    );
    request.on('error', (error) =>
      reject(new OutboundError(signal.aborted ? 'it took too long' : error.message, { cause: error })),
    );
    // Without an error after a protocol switch (101), which nobody asked for.
    request.on('close', () => reject(new OutboundError('the connection was closed without an answer')));
    request.end(body);
  });
}
