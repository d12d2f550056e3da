/** Letters that Unicode does not decompose, and how people type them on other keyboards. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
  // Arabic: alef with wasla or a wavy hamza; the forms of ye, kaf and he of other languages' keyboards; teh marbuta.
  ٱ: 'ا',
  ٲ: 'ا',
  ٳ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ۍ: 'ي',
  ے: 'ي',
  ک: 'ك',
  ڪ: 'ك',
  ہ: 'ه',
  ە: 'ه',
  ة: 'ه',
  // Yiddish.
  װ: 'וו',
  ױ: 'וי',
  ײ: 'יי',
  // Separators of Arabic numbers.
  '٫': '.',
  '٬': ',',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

const APOSTROPHES =
  /[`´΄᾽᾿´῾\u02b9-\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u07f4\u07f5\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\ua78b\ua78c\uff07]/gu;
const QUOTATION_MARKS =
  /[«»\u02ba\u02ee\u05f4\u201c-\u201f\u2033\u2036\u275d\u275e\u300c-\u300f\u301d-\u301f\uff02\uff62\uff63]/gu;
const TILDES = /[\u223c\u301c\uff5e]/gu;
const DASHES = /[\p{Pd}\u02d7\u2043\u2212]/gu;

// Marks that people leave out: accents of alphabetic scripts, and the vowel signs of Arabic, Hebrew and Syriac, hamza above and below
// among them. In other scripts (が, हि) a mark makes a different letter.
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
const VOWEL_SIGNS = /(?=\p{M})[\p{scx=Arab}\p{scx=Hebr}\p{scx=Syrc}]/gu;
/** They only stretch a word. */
const TATWEEL = /[\u0640\u07fa]/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/**
 * More marks than a letter of any language has. To bring n marks into Unicode's order takes time n², so the others are left out (as in the
 * stream-safe format of UAX #15).
 */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;
const SPACE = /[\s\p{Cc}]+/gu;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Returns the text as search compares it: without what people type differently. Lower case and compatibility forms, without accents
 * and vowel signs, with one apostrophe, quotation mark and dash, one form of each letter and the digits 0 to 9, and words separated
 * by one space. Applied to stored texts and to queries. Idempotent.
 */
export function foldSearchText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replaceAll('`', "'").replace(/ {2,}/g, ' ').trim();
  // Twice: the second form makes an accent of ´, and a corner bracket of its vertical form.
  const decomposed = unifyPunctuation(withFewMarks(text).normalize('NFD')).normalize('NFKD');
  const plain = unifyPunctuation(decomposed)
    .replace(INVISIBLE, '')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(VOWEL_SIGNS, '')
    .replace(TATWEEL, '')
    .replace(SPECIAL, (letter) => LETTERS[letter]!)
    .replace(OTHER_DIGITS, digitOf);
  // Again, because characters between marks were removed.
  return withFewMarks(plain).normalize('NFC').replace(SPACE, ' ').trim();
}

function withFewMarks(text: string): string {
  return text.replace(TOO_MANY_MARKS, '$1');
}

/** Replaces the quotation marks, apostrophes and dashes that keyboards write by those of ASCII. */
export function unifyPunctuation(text: string): string {
  return text
    .replace(APOSTROPHES, "'")
    .replace(QUOTATION_MARKS, '"')
    .replace(TILDES, '~')
    .replace(DASHES, '-');
}

/** Returns 0 to 9. The digits of a script are ten consecutive characters. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}

/** A blank, or a character with those that may be composed with it or left out. */
const CLUSTER = /(?!\ufeff)[\s\p{Cc}]|.[\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff]*/gsu;
/** Returns the folded text, and for each of its characters the position in the text; the last position is the text's length. */
export function foldWithPositions(text: string): { folded: string; at: number[] } {
  const letters: string[] = [];
  const at: number[] = [];
  // A blank at the beginning is left out, as one behind another.
  let last = ' ';
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    // Between full stops, so that a blank stays.
    for (const letter of foldSearchText(`.${cluster}.`).slice(1, -1)) {
      if (letter === ' ' && last === ' ') continue;
      letters.push(letter);
      last = letter;
      for (let n = 0; n < letter.length; n++) at.push(index);
    }
  }
  if (last === ' ') letters.pop();
  const folded = letters.join('');
  at[folded.length] = text.length;
  return { folded, at };
}
