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

const onsets = 'b c d f g h j k l m n p r s t v w st tr pl'.split(' ');
const nuclei = 'a e i o u ai ea ou'.split(' ');
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'nd', 'ck'];

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
  /** The probability of each word if its position is drawn, and the word that is drawn otherwise (alias method). */
  readonly #kept: Float64Array;
  readonly #alias: Uint32Array;

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
    const weights = Float64Array.from({ length: size }, (_, rank) => 1 / (rank + 2.7));
    const total = weights.reduce((sum, weight) => sum + weight);
    this.#kept = weights.map((weight) => (weight * size) / total);
    this.#alias = new Uint32Array(size);
    // The weights decrease, so the words from the start give what those from the end lack.
    let giver = 0;
    for (let at = size - 1; at > giver; at--) {
      let missing = at;
      while (this.#kept[missing]! < 1 && giver < at) {
        this.#alias[missing] = giver;
        this.#kept[giver]! -= 1 - this.#kept[missing]!;
        if (this.#kept[giver]! >= 1) break;
        missing = giver++;
      }
    }
  }

  /** Returns the position of a random word. */
  draw(): number {
    const drawn = this.#random() * this.#kept.length;
    const at = Math.floor(drawn);
    return drawn - at < this.#kept[at]! ? at : this.#alias[at]!;
  }

  text(count: number): string {
    return Array.from({ length: count }, () => this.words[this.draw()]!).join(' ');
  }

  #pick(parts: readonly string[]): string {
    return parts[Math.floor(this.#random() * parts.length)]!;
  }
}
