/** Returns a generator of numbers below one, determined by the seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const onsets = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'w',
  'st',
  'tr',
  'pl',
];
const nuclei = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou'];
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'nd', 'ck'];

/** The resolution of a word's probability. The rarest of 150,000 words has about 9 of these. */
const DRAWS = 1 << 24;

const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const CYRILLIC = 'абцдефгхийклмнопярстувшыжз';
const FIRST_HAN = 0x4e00;

/** Returns every 20th word in Cyrillic letters and every 50th in Chinese characters. */
function inScript(word: string, rank: number): string {
  const positions = [...word].map((letter) => LATIN.indexOf(letter));
  if (rank % 20 === 7) return positions.map((at) => CYRILLIC[at]).join('');
  if (rank % 50 === 11)
    return positions.map((at, i) => String.fromCharCode(FIRST_HAN + 26 * i + at)).join('');
  return word;
}

/** Words with a realistic distribution (Zipf's law): a few frequent short ones, most of them rare. */
export class Vocabulary {
  /** Most frequent first. */
  readonly words: string[] = [];
  readonly #random: () => number;
  /** A random entry is a word's position, with the word's probability. */
  readonly #draws = new Uint32Array(DRAWS);

  constructor(random: () => number, size: number) {
    this.#random = random;
    const seen = new Set<string>();
    while (this.words.length < size) {
      const syllables = (this.words.length < 200 ? 1 : 2) + Math.floor(random() * 3);
      let word = '';
      for (let i = 0; i < syllables; i++) word += this.#pick(onsets) + this.#pick(nuclei) + this.#pick(codas);
      if (word.length > 2 && !seen.has(word)) this.words.push(inScript(word, this.words.length));
      seen.add(word);
    }
    const weights = Array.from({ length: size }, (_, rank) => 1 / (rank + 2.7));
    const total = weights.reduce((sum, weight) => sum + weight);
    let end = 0;
    let cumulated = 0;
    for (const [rank, weight] of weights.entries()) {
      cumulated += weight;
      const start = end;
      end = Math.round((cumulated / total) * DRAWS);
      this.#draws.fill(rank, start, end);
    }
  }

  /** Returns the position of a random word. */
  draw(): number {
    return this.#draws[Math.floor(this.#random() * DRAWS)]!;
  }

  text(count: number): string {
    return Array.from({ length: count }, () => this.words[this.draw()]!).join(' ');
  }

  #pick(parts: readonly string[]): string {
    return parts[Math.floor(this.#random() * parts.length)]!;
  }
}
