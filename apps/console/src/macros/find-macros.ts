import type { Macro } from '@firmdesk/contract';
import { rankByName } from '../shell/rank-commands.ts';

/** Returns the macros whose name or text has all words of a search: those found by their name first. */
export function findMacros(macros: readonly Macro[], search: string): Macro[] {
  const byName = rankByName(macros, search);
  const found = new Set(byName);
  const texts = macros
    .filter((macro) => !found.has(macro))
    .map((macro) => ({ macro, name: `${macro.name} ${macro.texts.map(({ text }) => text).join(' ')}` }));
  return [...byName, ...rankByName(texts, search).map(({ macro }) => macro)];
}
