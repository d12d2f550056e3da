import type { Macro } from '@firmdesk/contract';
import { LOCALE } from '../ui/time/time.ts';

const names = new Intl.DisplayNames(LOCALE, { type: 'language', fallback: 'code' });

/** Returns the name of a language tag in the language of the console; the tag itself if it has none. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Returns a language and those of the macros, sorted by name. */
export function languagesOf(macros: readonly Pick<Macro, 'texts'>[], first: string): string[] {
  const others = new Set(macros.flatMap(({ texts }) => texts.map(({ language }) => language)));
  others.delete(first);
  return [first, ...[...others].sort((a, b) => languageName(a).localeCompare(languageName(b)))];
}
