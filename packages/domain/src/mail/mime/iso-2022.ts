/** A run of bytes in one charset. */
interface Run {
  charset: 'euc-jp' | 'gbk' | 'euc-kr';
  bytes: number[];
}

/** How the bytes of a character set of ISO 2022 become those of a charset of 8 bits. */
interface CharacterSet {
  charset: Run['charset'];
  /** Bytes of a character. */
  width: 1 | 2;
  /** A byte before each character. */
  prefix?: number;
}

const ROMAN: CharacterSet = { charset: 'euc-jp', width: 1 };
const KATAKANA: CharacterSet = { charset: 'euc-jp', width: 1, prefix: 0x8e };
const KOREAN: CharacterSet = { charset: 'euc-kr', width: 2 };

/** The character sets of RFC 1468, RFC 1554 and RFC 1557, by the text after ESC. */
const SETS: Record<string, CharacterSet> = {
  '(B': ROMAN,
  '(J': ROMAN,
  '(I': KATAKANA,
  $B: { charset: 'euc-jp', width: 2 },
  '$@': { charset: 'euc-jp', width: 2 },
  '$(B': { charset: 'euc-jp', width: 2 },
  '$(D': { charset: 'euc-jp', width: 2, prefix: 0x8f },
  $A: { charset: 'gbk', width: 2 },
  '$(C': KOREAN,
};

const ESC = 0x1b;
const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
/** Announces the Korean character set for SHIFT_OUT. */
const KOREAN_HEADER = '$)C';

/**
 * Divides a text in an ISO-2022 charset of Japanese or Korean mail into runs of 8-bit charsets. Decoders of the web refuse some of what
 * mail programs write: adjacent escapes, JIS X 0212, katakana by shifts.
 */
export function iso2022Runs(text: Buffer): Run[] {
  const runs: Run[] = [];
  let set = ROMAN;
  let shifted = KATAKANA;
  let isShifted = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === ESC) {
      const sequence = text.toString('latin1', at + 1, at + 4);
      if (sequence === KOREAN_HEADER) {
        shifted = KOREAN;
        at += 3;
        continue;
      }
      const name = sequence in SETS ? sequence : sequence.slice(0, 2);
      if (name in SETS) {
        set = SETS[name]!;
        isShifted = false;
        at += name.length;
        continue;
      }
    }
    if (byte === SHIFT_OUT || byte === SHIFT_IN) {
      isShifted = byte === SHIFT_OUT;
      continue;
    }
    const { charset, width, prefix } = isShifted ? shifted : set;
    const run = runs.at(-1)?.charset === charset ? runs.at(-1)! : { charset, bytes: [] };
    if (run.bytes.length === 0) runs.push(run);
    const isCharacter = byte > 0x20 && byte < 0x7f && (width === 1 || (text[at + 1] ?? 0) > 0x20);
    if (!isCharacter || (width === 1 && prefix === undefined)) {
      run.bytes.push(byte);
      continue;
    }
    if (prefix !== undefined) run.bytes.push(prefix);
    run.bytes.push(byte | 0x80);
    if (width === 2) run.bytes.push(text[++at]! | 0x80);
  }
  return runs;
}

/** Converts HZ (RFC 1843) into bytes of GBK. */
export function hzToGbk(text: Buffer): Buffer {
  const bytes: number[] = [];
  let isChinese = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    const next = text[at + 1];
    if (byte === 0x7e && next !== undefined) {
      at++;
      if (next === 0x7b) isChinese = true;
      else if (next === 0x7d) isChinese = false;
      else if (next === 0x7e) bytes.push(0x7e);
      else if (next !== 0x0a) bytes.push(byte, next);
    } else {
      if (byte === 0x0a) isChinese = false;
      bytes.push(isChinese && byte > 0x20 ? byte | 0x80 : byte);
    }
  }
  return Buffer.from(bytes);
}
