import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';
import type { EventWords } from './words.ts';

const wordsByLanguage: Readonly<Record<string, EventWords>> = { en, de, es, fr, pt };

/** Returns the words for a language tag (`de`, `pt-BR`). Unknown languages get English. */
export function wordsFor(language: string): EventWords {
  const base = language.split(/[-_]/)[0]!.toLowerCase();
  return Object.hasOwn(wordsByLanguage, base) ? wordsByLanguage[base]! : en;
}
