const VISIBLE =
  /[^\s\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{1d159}]/u;

/**
 * Whether a person sees anything of the text. Blanks, control characters, and what Unicode calls default-ignorable (zero-width
 * characters, bidi controls, tags, Hangul fillers) show nothing. A mark without a letter counts as nothing too.
 */
export function hasVisibleText(text: string): boolean {
  return VISIBLE.test(text);
}

const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb]|(?![\s\u0085])\p{Cc}/u;

/** Invisible characters that change how the character before them looks, or the one after them. */
const NEEDED = [
  // The flags of England, Scotland and Wales: the only sequences of tags among Unicode's emoji.
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u,
  // Emoji joined to one, such as a family.
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/u,
  // Emoji and text style, also of the digits of keycaps.
  /(?<=[\p{Emoji}\p{Extended_Pictographic}])[\ufe0e\ufe0f]/u,
  // Variants of symbols and of letters of Asian scripts.
  /(?<=(?!\p{Default_Ignorable_Code_Point})[0\p{S}\p{P}\p{Lo}])[\ufe00-\ufe0d]/u,
  /(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}]/u,
  /(?<=(?!\p{Default_Ignorable_Code_Point})\p{Script=Mongolian})[\u180b-\u180f]/u,
  // In these scripts a joiner or non-joiner changes the form of the letters around it.
  /(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}])(?<!\p{Default_Ignorable_Code_Point})[\u200c\u200d]/u,
  /(?<=^|[\n\p{Z}\p{P}])\u200d(?=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}])(?!\p{Default_Ignorable_Code_Point})/u,
];
const NEEDED_OR_INVISIBLE = new RegExp(
  `(${NEEDED.map(({ source }) => source).join('|')})|${INVISIBLE.source}`,
  'gu',
);

/**
 * Removes the characters that nobody sees: Unicode's tags, fillers, zero-width and control characters. Those stay that emoji
 * and scripts such as Arabic, Persian and Hindi need, one at a time, so that no message can be written with them.
 */
export function withoutInvisibleText(text: string): string {
  return INVISIBLE.test(text)
    ? text.replace(NEEDED_OR_INVISIBLE, (_, needed?: string) => needed ?? '')
    : text;
}

/** Removes the characters that turn the direction of text around, so that a name of a file shows its true ending. */
export function withoutBidiControls(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}

/**
 * Returns a name, subject or other text of one line: line breaks, control characters and blanks become one space, and bidi
 * controls are removed. It is empty if nothing of it is visible.
 */
export function oneLine(text: string): string {
  if (!hasVisibleText(text)) return '';
  return withoutBidiControls(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
