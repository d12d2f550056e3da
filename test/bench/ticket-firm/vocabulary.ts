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

/** Words with a realistic distribution (Zipf's law): a few frequent short ones, most of them rare. */
export class Vocabulary {
  /** Most frequent first. */
  readonly words: string[] = [];
  readonly #random: () => number;
  readonly #cumulated: Float64Array;

  constructor(random: () => number, size: number) {
    this.#random = random;
    const seen = new Set<string>();
    while (this.words.length < size) {
      const syllables = (this.words.length < 200 ? 1 : 2) + Math.floor(random() * 3);
      let word = '';
      for (let i = 0; i < syllables; i++) word += this.#pick(onsets) + this.#pick(nuclei) + this.#pick(codas);
      if (word.length > 2 && !seen.has(word)) this.words.push(word);
      seen.add(word);
    }
    this.#cumulated = new Float64Array(size);
    let sum = 0;
    for (let rank = 0; rank < size; rank++) {
      sum += 1 / (rank + 2.7);
      this.#cumulated[rank] = sum;
    }
  }

  text(count: number): string {
    let text = this.#word();
    for (let i = 1; i < count; i++) text += ` ${this.#word()}`;
    return text;
  }

  #word(): string {
    const at = this.#random() * this.#cumulated.at(-1)!;
    let low = 0;
    let high = this.words.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#cumulated[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return this.words[low]!;
  }

  #pick(parts: readonly string[]): string {
    return parts[Math.floor(this.#random() * parts.length)]!;
  }
}
