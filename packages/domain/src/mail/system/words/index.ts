import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { inLanguage } from './in-language.ts';
import { pt } from './pt.ts';
import type { EventWords } from './words.ts';

/** Returns the words for a language tag. */
export function wordsFor(language: string): EventWords {
  return inLanguage({ en, de, es, fr, pt }, language);
}
