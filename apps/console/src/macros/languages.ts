import type { Macro } from '@firmdesk/contract';
import { languageName } from '../ui/display-names.ts';

/** Returns a language and those of the macros, sorted by name. */
export function languagesOf(macros: readonly Pick<Macro, 'texts'>[], first: string): string[] {
  const others = new Set(macros.flatMap(({ texts }) => texts.map(({ language }) => language)));
  others.delete(first);
  return [first, ...[...others].sort((a, b) => languageName(a).localeCompare(languageName(b)))];
}
