/** Returns the words for a language tag (`de`, `pt-BR`). Unknown languages get English. */
export function inLanguage<Words>(
  words: Readonly<Record<string, Words> & { en: Words }>,
  language: string,
): Words {
  const base = language.split(/[-_]/)[0]!.toLowerCase();
  return Object.hasOwn(words, base) ? words[base]! : words.en;
}
