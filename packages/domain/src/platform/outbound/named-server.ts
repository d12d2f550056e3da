import { invalidField } from '../process/errors.ts';
import { hostOf, namesForbiddenAddress, type OutboundNetwork } from './guarded-request.ts';
import { isPublicAddress } from './public-address.ts';

/** What a URL may be, beside https at a public address. */
export interface NamedServer {
  /** Where the caller writes it. */
  field: string;
  /** Why it has no user name and no password. */
  authentication: string;
  example: string;
  /** Whether it may be on this machine, also without TLS: for development. */
  allowsLoopback: boolean;
}

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.');

/** Returns which addresses the servers may have that others name. */
export function networkOf({ allowsLoopback }: Pick<NamedServer, 'allowsLoopback'>): OutboundNetwork {
  if (!allowsLoopback) return {};
  return { isAllowed: (address) => isPublicAddress(address) || isLoopback(address) };
}

/** Returns the URL of a server that a caller names, in its normal form. Throws `validation_failed`. */
export function checkServerUrl(text: string, server: NamedServer): string {
  const { field, example, authentication, allowsLoopback } = server;
  const url = URL.parse(text);
  if (!url || url.hostname === '') throw invalidField(field, `must be a URL, such as ${example}`);
  const host = hostOf(url);
  const isHere = host === 'localhost' || isLoopback(host);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowsLoopback && isHere))
    throw invalidField(field, 'must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw invalidField(field, `must not contain a user name or a password: ${authentication}`);
  if (url.hostname.endsWith('.'))
    throw invalidField(field, 'must name the server without a dot at the end of its name');
  if (namesForbiddenAddress(url, networkOf(server)))
    throw invalidField(field, 'must be an address of the public internet');
  url.hash = '';
  return url.href;
}
