import { MAX_SHOWN_ENTRIES, type ProfileField, type ProfileSection } from '@firmdesk/contract';
import { LOCALE } from '../ui/time/time.ts';

type Json = unknown;

/** A value of a profile, as it is shown. */
export type ShownValue =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'date'; at: string };

/** The fields of one entry of a section that have a value, in the order of the layout. */
export type ShownEntry = { label: string; value: ShownValue }[];

/** Returns the entries of a section: those of its list, or a single one. An entry without a value is left out. */
export function entriesOf({ list, fields }: ProfileSection, data: Json): ShownEntry[] {
  const found = list === undefined ? data : valueAt(data, list);
  const entries = list === undefined ? [found] : Array.isArray(found) ? found : [];
  return entries
    .slice(0, MAX_SHOWN_ENTRIES)
    .map((entry) =>
      fields.flatMap((field) => {
        const value = shownValue(field, entry);
        return value ? [{ label: field.label, value }] : [];
      }),
    )
    .filter((entry) => entry.length > 0);
}

/** Returns the value at a JSON pointer (RFC 6901); undefined if there is none. */
export function valueAt(data: Json, pointer: string): Json {
  let value = data;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, Json>)[name];
  }
  return value;
}

/** Returns a value as its format says; as text if it has another form. */
function shownValue({ value: pointer, format, currency }: ProfileField, entry: Json): ShownValue | null {
  const value = valueAt(entry, pointer);
  if (value === null || value === undefined || value === '' || typeof value === 'object') return null;
  const text = String(value);
  if (format === 'flag' && typeof value === 'boolean') return { kind: 'text', text: value ? 'Yes' : 'No' };
  if (format === 'money') return { kind: 'text', text: money(text, currencyOf(currency, entry)) ?? text };
  if (format === 'date' && isIsoDate(text)) return { kind: 'date', at: text };
  if (format === 'link' && isWebUrl(text)) return { kind: 'link', text: shortUrl(text), href: text };
  return { kind: 'text', text };
}

function currencyOf(currency: string | undefined, entry: Json): string | null {
  const code = currency?.startsWith('/') ? valueAt(entry, currency) : currency;
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) ? code : null;
}

/** Returns an amount with its currency; null if it is no number. Decimals in a text keep their precision. */
function money(amount: string, currency: string | null): string | null {
  if (!/^-?\d{1,30}(\.\d{1,12})?$/.test(amount)) return null;
  const format = new Intl.NumberFormat(LOCALE, currency === null ? {} : { style: 'currency', currency });
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Browsers also take other texts for dates, such as a URL with a number. */
function isIsoDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(T|$)/.test(text) && !Number.isNaN(Date.parse(text));
}

function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

function shortUrl(text: string): string {
  const { host, pathname } = new URL(text);
  return pathname === '/' ? host : host + pathname;
}
