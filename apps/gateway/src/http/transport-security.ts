import type { RequestHandler } from 'express';

/**
 * Returns the header that makes browsers use HTTPS only, for a year (RFC 6797); none if the service is reached without TLS. It says
 * nothing of other hosts of the domain, which are not ours.
 */
export function transportSecurity(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};
}

/** Express middleware that sets this header. */
export function setTransportSecurity(publicUrl: () => string): RequestHandler {
  return (_req, res, next) => {
    res.set(transportSecurity(publicUrl()));
    next();
  };
}
