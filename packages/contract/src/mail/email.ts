import * as z from 'zod';

/** RFC 5321 §4.5.3.1, in octets of UTF-8 (RFC 6531 §3.4). */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;
const MAX_LABEL = 63;

/** Characters of a local part: those of RFC 5321, and letters, digits and symbols of any script (RFC 6531). */
const LOCAL_PART =
  /^[\p{L}\p{M}\p{N}\p{So}\p{Sk}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}\p{So}\p{Sk}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^(?![-\p{M}])[\p{L}\p{M}\p{Nd}-]+(?<!-)$/u;
/** The last label: at least two characters, beginning with a letter. */
const TOP_LABEL = /^(?=.{2})\p{L}/u;

/**
 * An email address, internationalised ones included (`jürgen@exämple.de`, RFC 6531): a dot-atom, `@`, and a domain of at least
 * two labels. It is stored and returned as given: neither its case nor the encoding of its domain (Punycode) is changed.
 */
export const Email = z.stringFormat('idn-email', isEmailAddress, 'must be an email address').max(MAX_ADDRESS);

function isEmailAddress(text: string): boolean {
  // Limits the time that the regular expressions take.
  if (text.length > MAX_ADDRESS) return false;
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split('.');
  return (
    LOCAL_PART.test(localPart) &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP_LABEL.test(labels.at(-1)!) &&
    octets(text) <= MAX_ADDRESS &&
    octets(localPart) <= MAX_LOCAL_PART &&
    labels.every((label) => octets(label) <= MAX_LABEL)
  );
}

function octets(text: string): number {
  return encodeURIComponent(text).replace(/%../g, '.').length;
}
