import { AssistantError } from '../assistant.ts';

/*
 * Many models write what they think into the text of their reply, between marks: `<think>…</think>`, `[THINK]…[/THINK]`,
 * `<|START_THINKING|>…<|END_THINKING|>`, `<|channel|>analysis<|message|>…`. Some write only the closing mark, because their server has
 * put the opening one into the prompt. Thoughts are not for the trader.
 */

/** The characters that begin a mark, and those that end it. */
const brackets: Readonly<Record<string, string>> = { '<': '>', '[': ']', '◁': '▷' };
const MARK_START = /[<[◁]/;
/** Between its brackets, in UTF-16 units. */
const MAX_MARK_LENGTH = 80;
/** Longer than any reply: such a text is a thought. */
const MAX_HELD_LENGTH = 20_000;
/** The part of a channel's header that names the channel, and whether it is that of the reply. */
const MAX_HEADER_LENGTH = 40;
const REPLY_HEADER = /^\s*(?:final|assistant|$)/i;

type Mark =
  /** A thought begins or ends. */
  | 'open'
  | 'close'
  /** What follows, up to `message`, says of which channel or role the next text is. */
  | 'header'
  | 'message'
  /** The model has ended its turn: text after it is of another one. */
  | 'over'
  /** Another mark of the model's own format. */
  | 'other';

/** Where the text belongs that comes next. `held`: to the reply, unless a closing mark follows. */
type State = 'reply' | 'thought' | 'held' | 'header' | 'over';

/** Finds the reply's text in the text of a model, which arrives in pieces of any length. */
export class ThoughtFilter {
  #state: State;
  /** A text that may be the beginning of a mark. */
  #rest = '';
  #held = '';
  #header = '';
  /** The character before the text that comes next. */
  #last = '';
  /** Opening marks without a closing one: the model may have nested thoughts, or only have mentioned a mark. */
  #open = 0;
  /** Whether the first mark was a closing one, so that the text began with a thought. */
  #beganThinking: boolean | null = null;

  /** With `beginsThinking`, text before the first mark is held until it is known what it is. */
  constructor({ beginsThinking }: { beginsThinking: boolean }) {
    this.#state = beginsThinking ? 'held' : 'reply';
  }

  get beganThinking(): boolean {
    return this.#beganThinking === true;
  }

  /** Returns the reply's text among the next piece. `isReset`: all that was returned before was a thought. */
  push(piece: string): { text: string; isReset: boolean } {
    const found = { text: '', isReset: false };
    const text = this.#rest + piece;
    let at = 0;
    this.#rest = '';
    for (;;) {
      const length = text.slice(at).search(MARK_START);
      const start = length < 0 ? text.length : at + length;
      this.#take(text.slice(at, start), found);
      if (start === text.length) return found;
      const end = endOfMark(text, start);
      if (end === null) {
        this.#rest = text.slice(start);
        return found;
      }
      const mark = this.#last === '`' ? null : markOf(text.slice(start, end));
      at = mark ? end : start + 1;
      if (mark) this.#follow(mark, found);
      else this.#take(text.slice(start, at), found);
      this.#last = text[at - 1]!;
    }
  }

  /** Returns the reply's last text. Throws `AssistantError` if the model has not ended its thought. */
  end(): string {
    const found = { text: '', isReset: false };
    this.#take(this.#rest, found);
    this.#rest = '';
    if (this.#state === 'thought' || this.#state === 'header')
      throw new AssistantError('the language model did not end its thoughts');
    return found.text + this.#held;
  }

  #take(text: string, found: { text: string }): void {
    if (text === '') return;
    this.#last = text.at(-1)!;
    if (this.#state === 'reply') found.text += text;
    if (this.#state === 'header') this.#header = (this.#header + text).slice(0, MAX_HEADER_LENGTH);
    if (this.#state !== 'held') return;
    this.#held += text;
    if (this.#held.length > MAX_HELD_LENGTH) this.#enter('thought');
  }

  #follow(mark: Mark, found: { text: string; isReset: boolean }): void {
    if (this.#state === 'over') return;
    switch (mark) {
      case 'open':
        this.#beganThinking ??= false;
        this.#open++;
        this.#enter('thought');
        break;
      case 'close':
        this.#beganThinking ??= this.#state === 'reply' || this.#state === 'held';
        if (this.#state === 'reply') {
          found.text = '';
          found.isReset = true;
        }
        this.#open = Math.max(0, this.#open - 1);
        this.#enter(this.#open > 0 ? 'held' : 'reply');
        break;
      case 'header':
        this.#enter('header');
        break;
      case 'message':
        if (this.#state === 'header') this.#enter(REPLY_HEADER.test(this.#header) ? 'reply' : 'thought');
        break;
      case 'over':
        if (this.#state === 'reply') this.#enter('over');
    }
  }

  #enter(state: State): void {
    this.#state = state;
    this.#held = '';
    this.#header = '';
  }
}

/** Returns where the text that may be a mark ends. Null: that depends on the text that follows. */
function endOfMark(text: string, start: number): number | null {
  const closing = brackets[text[start]!]!;
  const limit = start + 1 + MAX_MARK_LENGTH;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === closing) return at + 1;
    if (at >= limit || text[at] === '\n' || text[at]! in brackets) return at;
  }
  return null;
}

/** Names of thoughts, also as parts of others: `thinking_process`, `inner-thoughts`, `antThinking`. */
const THOUGHT =
  /think|thought|reason|reflect|scratchpad|monologue|analysis|rationale|deliberat|contemplat|planning/;
/** In square brackets a name must stand alone: replies contain placeholders and links. */
const SQUARE =
  /^\[\/?(?:(?:start|begin|end)[ _-])?(?:think|thinking|thoughts?|reasoning)(?:[ _-](?:start|begin|end))?\]$/;
const OVER = /^(?:return|imend|eo[stm]|eo[tm]id|endof(?:text|sentence|turn|message))$/;

/** Marks of thoughts whose names do not say so: MedGemma's. */
const UNNAMED: Readonly<Record<string, Mark>> = { unused94: 'open', unused95: 'close' };

/** Returns what a text in brackets means; null if it is no mark. */
function markOf(text: string): Mark | null {
  if (text.at(-1) !== brackets[text[0]!]) return null;
  // Some models write full-width bars.
  const mark = text.toLowerCase().replaceAll('｜', '|');
  if (mark.startsWith('[')) return SQUARE.test(mark) ? edgeOf(mark) : null;
  const inner = mark.slice(1, -1).trim();
  if (Object.hasOwn(UNNAMED, inner)) return UNNAMED[inner]!;
  if (inner.startsWith('|') || inner.endsWith('|')) return barredMarkOf(inner);
  const [start = '', name = ''] = /^\/? ?([a-z][a-z_:-]*)/.exec(inner) ?? [];
  const rest = inner.slice(start.length);
  // `<think>`, `<think/>`, `<think type="x">`, but not an address or other words in angle brackets.
  if (!THOUGHT.test(name) || !(rest === '' || rest === '/' || /^\s.*=/.test(rest))) return null;
  return rest === '/' ? 'other' : edgeOf(inner);
}

function barredMarkOf(inner: string): Mark | null {
  if (/\s/.test(inner)) return null;
  if (THOUGHT.test(inner)) return edgeOf(inner);
  if (inner === '|channel') return 'open';
  if (inner === 'channel|') return 'close';
  if (/^\|(?:channel|start|start_header_id|start_of_role)\|$/.test(inner)) return 'header';
  if (/^\|(?:message|end_header_id|end_of_role)\|$/.test(inner)) return 'message';
  return OVER.test(inner.replaceAll(/[^a-z]/g, '')) ? 'over' : 'other';
}

/** Returns whether the mark of a thought begins or ends it. */
function edgeOf(mark: string): Mark {
  return mark.includes('/') || /(?:^|[^a-z])end(?:$|[^a-z])/.test(mark) ? 'close' : 'open';
}
