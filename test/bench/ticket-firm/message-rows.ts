import { newId } from '@firmdesk/domain';
import type { PostingsCollector } from './postings-collector.ts';
import type { Vocabulary } from './vocabulary.ts';

export const MESSAGES_PER_TICKET = 10;
const WORDS_PER_MESSAGE = 25;
/** Concurrent conversations, whose messages are interleaved as in practice. */
const CONCURRENT = 400;
const CHUNK_BYTES = 1 << 18;
/** More than a row takes: its words twice, and the other columns. */
const MAX_ROW_BYTES = 4_096;

const TAB = 0x09;
const NEWLINE = 0x0a;
const SPACE = 0x20;

export interface Conversation {
  id: string;
  createdAt: number;
  lastMessageAt: number;
  /** The search text of the ticket itself. */
  searchText: string;
}

/**
 * Generates the messages of conversations as the lines of `COPY ticket_messages (id, ticket_id, workspace_id, from_kind, author,
 * body, read_at, created_at, search_text, search_pending)`, and collects the postings of all words. Words are copied as bytes:
 * strings would take several times as long.
 */
export function* messageRows(
  firmId: number,
  conversations: readonly Conversation[],
  vocabulary: Vocabulary,
  postings: PostingsCollector,
  onProgress: (messages: number) => void,
): Generator<Buffer> {
  const { words } = vocabulary;
  const plain = new WordBytes(words);
  const capitalized = new WordBytes(words.map((word) => word[0]!.toUpperCase() + word.slice(1)));
  const postingsOf = words.map((word) => postings.of(word));
  /** The last message that contains a word, by the word's position. */
  const lastMessage = new Uint32Array(words.length);
  const drawn = new Uint32Array(CONCURRENT * MESSAGES_PER_TICKET * WORDS_PER_MESSAGE);
  let messages = 0;
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES + MAX_ROW_BYTES);
  let end = 0;
  const addAscii = (text: string) => {
    for (let i = 0; i < text.length; i++) chunk[end++] = text.charCodeAt(i);
  };
  /** Adds a body, or its distinct words. */
  const addWords = (from: number, isBody: boolean) => {
    if (!isBody) messages++;
    for (let n = 0; n < WORDS_PER_MESSAGE; n++) {
      const at = drawn[from + n]!;
      if (!isBody) {
        if (lastMessage[at] === messages) continue;
        lastMessage[at] = messages;
      }
      if (n > 0) chunk[end++] = SPACE;
      end = (isBody && n === 0 ? capitalized : plain).copy(at, chunk, end);
    }
  };

  for (let first = 0; first < conversations.length; first += CONCURRENT) {
    const concurrent = conversations.slice(first, first + CONCURRENT);
    // Postings are collected ticket by ticket, because they ascend.
    const perTicket = MESSAGES_PER_TICKET * WORDS_PER_MESSAGE;
    for (const [i, { searchText }] of concurrent.entries()) {
      for (const word of searchText.split(' ')) postings.of(word).add(first + i);
      for (let n = i * perTicket; n < (i + 1) * perTicket; n++) {
        const at = vocabulary.draw();
        drawn[n] = at;
        postingsOf[at]!.add(first + i);
      }
    }
    for (let n = 0; n < MESSAGES_PER_TICKET; n++) {
      const between = `\t${firmId}\t${n % 2 ? 'admin' : 'trader'}\tRobin\t`;
      for (const [i, { id, createdAt, lastMessageAt }] of concurrent.entries()) {
        const time = new Date(
          createdAt + Math.floor(((lastMessageAt - createdAt) * n) / (MESSAGES_PER_TICKET - 1)),
        );
        const from = i * perTicket + n * WORDS_PER_MESSAGE;
        const date = `\t${time.toISOString()}`;
        addAscii(`${newId('ticketMessage', time)}\t${id}${between}`);
        addWords(from, true);
        addAscii(date);
        addAscii(date);
        chunk[end++] = TAB;
        addWords(from, false);
        addAscii('\tf');
        chunk[end++] = NEWLINE;
        if (end < CHUNK_BYTES) continue;
        yield chunk.subarray(0, end);
        chunk = Buffer.allocUnsafe(CHUNK_BYTES + MAX_ROW_BYTES);
        end = 0;
      }
    }
    onProgress(messages);
  }
  yield chunk.subarray(0, end);
}

/** Words as UTF-8, in one buffer. */
class WordBytes {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;

  constructor(words: readonly string[]) {
    const all = words.map((word) => Buffer.from(word));
    this.#bytes = Buffer.concat(all);
    this.#starts = new Uint32Array(words.length + 1);
    for (const [i, { length }] of all.entries()) this.#starts[i + 1] = this.#starts[i]! + length;
  }

  /** Copies a word to the position. Returns the position after it. */
  copy(word: number, target: Buffer, position: number): number {
    const bytes = this.#bytes;
    const end = this.#starts[word + 1]!;
    let to = position;
    for (let at = this.#starts[word]!; at < end; at++) target[to++] = bytes[at]!;
    return to;
  }
}
