import { domainToASCII } from 'node:url';
import type { SenderCheck } from '@firmdesk/contract';
import type { HeaderField } from './header-fields.ts';

/** A result of a method such as DKIM (RFC 8601 §2.2). */
export interface MethodResult {
  method: string;
  result: string;
  /** The domain that it is about, in lower case; null if none is named. */
  domain: string | null;
}

const MAX_RESULTS = 50;

/**
 * Returns what the `Authentication-Results` of a trusted host say about the sender of a message; null without such a field. The first field counts, which
 * the last trusted host has written: it removes what others have written in its name (RFC 8601 §5).
 *
 * @param from the address of the sender
 */
export function readSenderCheck(
  fields: readonly HeaderField[],
  trustedHosts: readonly string[],
  from: string,
): SenderCheck | null {
  for (const { name, value } of fields) {
    if (name !== 'authentication-results') continue;
    const [host = '', ...results] = withoutComments(value).split(';');
    if (trustedHosts.includes(host.trim().split(/\s/)[0]!.toLowerCase()))
      return checkOf(results.slice(0, MAX_RESULTS).flatMap(parseResult), from);
  }
  return null;
}

/** Returns what the results of the methods say about the sender of a message. */
export function checkOf(results: readonly MethodResult[], from: string): SenderCheck {
  const domain = domainOf(from);
  const of = (method: string) => results.filter((result) => result.method === method);
  const passed = [...of('dkim'), ...of('spf')].filter(({ result }) => result === 'pass');
  const isAligned = passed.some(
    (result) => result.domain !== null && isSameOrganization(result.domain, domain),
  );
  const [dmarc] = of('dmarc');
  // Who has checked the message may have read another sender in it than we do.
  const isAboutOther = dmarc?.domain != null && !isSameOrganization(dmarc.domain, domain);
  if (!isAboutOther && (dmarc?.result === 'pass' || (dmarc?.result !== 'fail' && isAligned)))
    return { status: 'verified', via: null };
  const via = passed.find((result) => result.domain !== null)?.domain ?? null;
  return { status: dmarc?.result === 'fail' ? 'failed' : 'unverified', via };
}

/** Returns whether one domain is the other one or above it. DMARC would compare their organizational domains. */
function isSameOrganization(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function parseResult(text: string): MethodResult[] {
  const [first = '', ...properties] = text.trim().split(/\s+/);
  const [method, result] = pairOf(first);
  if (result === '') return [];
  const values = new Map(properties.map(pairOf));
  const name = method.split('/')[0]!;
  const about =
    name === 'dmarc'
      ? values.get('header.from')
      : (values.get('header.d') ??
        values.get('header.i') ??
        values.get('smtp.mailfrom') ??
        values.get('smtp.helo'));
  return [{ method: name, result, domain: domainOf(about ?? '') || null }];
}

function pairOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals < 0
    ? [text.toLowerCase(), '']
    : [
        text.slice(0, equals).toLowerCase(),
        text
          .slice(equals + 1)
          .replaceAll('"', '')
          .toLowerCase(),
      ];
}

/** Returns the domain of an address, or the text if it is a domain, as the DNS knows it. */
function domainOf(address: string): string {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/\.$/, '')
    .toLowerCase();
  return domainToASCII(domain) || domain;
}

/** Removes comments, which can be nested. What an unfinished comment hides is lost. */
export function withoutComments(text: string): string {
  let kept = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\\') at++;
    else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    else if (isQuoted) kept += character === ';' ? '' : character;
    else if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}
