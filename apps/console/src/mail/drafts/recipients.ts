import type { AnyFirmdeskError } from '@firmdesk/client';
import type { MailRecipient } from '@firmdesk/contract';

/** Returns recipients as a list shows them: `Ann Lee, bob@example.com`. */
export function recipientNames(recipients: readonly MailRecipient[]): string {
  return recipients.map(({ name, email }) => name || email).join(', ');
}

/** Returns recipients with their addresses: `Ann Lee <ann@example.com>, "Hill, Bob" <bob@example.com>, cy@example.com`. */
export function recipientAddresses(recipients: readonly MailRecipient[]): string {
  return recipients.map(({ name, email }) => (name ? `${quoted(name)} <${email}>` : email)).join(', ');
}

/** A part up to a comma, semicolon or line break. A quoted name at its start can contain these. */
const PART = /\s*(?:"(?:[^"\\]|\\.)*")?[^,;\n]*/g;

/** Returns the addresses in typed text, separated by commas, semicolons or lines. `Ann <ann@x.example>` gives the address. */
export function parseAddresses(text: string): string[] {
  return splitRecipients(text)
    .map(addressOf)
    .filter((address) => address !== '');
}

/** Returns the recipients in typed text as they were typed, with their names. */
export function splitRecipients(text: string): string[] {
  return (text.match(PART) ?? []).map((part) => part.trim()).filter((part) => part !== '');
}

/** Returns the address of a typed recipient. */
export function addressOf(recipient: string): string {
  return (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim();
}

/** Returns the name of a typed recipient, or its address if it has none. */
export function nameOf(recipient: string): string {
  const name = recipient.replace(/<[^<>]*>\s*$/, '').trim();
  const unquoted = /^"(.*)"$/.exec(name)?.[1]?.replace(/\\(.)/g, '$1') ?? name;
  return unquoted || addressOf(recipient);
}

/** Returns a draft without the addresses that an error names; null if it names anything else. */
export function withoutRefused<Draft extends Record<'to' | 'cc' | 'bcc', string[]>>(
  draft: Draft,
  { code, fields }: AnyFirmdeskError,
): Draft | null {
  const refused = fields.map(({ path }) => /^(?:to|cc|bcc)\[\d+\]/.exec(path)?.[0]);
  if (code !== 'validation_failed' || refused.length === 0 || refused.includes(undefined)) return null;
  const kept = (name: 'to' | 'cc' | 'bcc') =>
    draft[name].filter((_, index) => !refused.includes(`${name}[${index}]`));
  return { ...draft, to: kept('to'), cc: kept('cc'), bcc: kept('bcc') };
}

/** Returns the places of the addresses of a field that an error names. */
export function refusedPlaces(
  error: AnyFirmdeskError | null,
  name: 'to' | 'cc' | 'bcc',
): ReadonlySet<number> {
  const places = error?.fields.map(({ path }) => /^(\w+)\[(\d+)\]/.exec(path)) ?? [];
  return new Set(places.filter((found) => found?.[1] === name).map((found) => Number(found![2])));
}

/** Returns a name in quotation marks if it contains a separator or another special character (RFC 5322). */
function quoted(name: string): string {
  return /[",;<>\\\n]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
}
