import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { DataRow } from './data-row.ts';

/** The member of a connection of `pg` that its types omit: it parses and emits the messages that arrive on a stream. */
interface MessageSource extends NodeJS.EventEmitter {
  attachListeners(stream: NodeJS.EventEmitter): void;
}

/** Makes a connection of `pg`, which is not connected yet, emit its rows as {@link DataRow}. `pg` parses all other messages. */
export function emitDataRows(connection: NodeJS.EventEmitter): void {
  const source = connection as MessageSource;
  const attachListeners = source.attachListeners.bind(source);
  source.attachListeners = (stream) => {
    const others = new EventEmitter();
    attachListeners(others);
    const splitter = new MessageSplitter(
      (row) => source.emit('dataRow', row),
      (messages) => others.emit('data', messages),
    );
    (stream as Socket).on('data', (chunk: Buffer) => splitter.read(chunk));
  };
}

/** The type of a message, and its length, which counts itself (PostgreSQL's manual, "Message Formats"). */
const HEADER_BYTES = 5;
const DATA_ROW = 'D'.charCodeAt(0);

/** Separates the rows from the other messages of the server. A chunk may begin and end anywhere in a message. */
export class MessageSplitter {
  readonly #onRow: (row: DataRow) => void;
  readonly #onOthers: (messages: Buffer) => void;
  readonly #row = new DataRow();
  /** The beginning of a message, and how many bytes of its header or of all of it are missing. */
  #parts: Buffer[] = [];
  #missing = 0;

  /** `onRow` gets the same object for each row. `onOthers` gets one or more complete messages. */
  constructor(onRow: (row: DataRow) => void, onOthers: (messages: Buffer) => void) {
    this.#onRow = onRow;
    this.#onOthers = onOthers;
  }

  read(chunk: Buffer): void {
    let at = 0;
    while (this.#missing > 0 && at < chunk.length) {
      const part = chunk.subarray(at, at + this.#missing);
      at += part.length;
      this.#parts.push(part);
      this.#missing -= part.length;
      if (this.#missing === 0) this.#readMessages(Buffer.concat(this.#parts), 0);
    }
    if (at < chunk.length) this.#readMessages(chunk, at);
  }

  /** Reads the messages from an index on, and keeps the beginning of one that is incomplete. */
  #readMessages(bytes: Buffer, from: number): void {
    let at = from;
    let others = from;
    let end = endOf(bytes, at);
    while (end <= bytes.length) {
      if (bytes[at] === DATA_ROW) {
        if (others < at) this.#onOthers(bytes.subarray(others, at));
        others = end;
        this.#onRow(this.#row.set(bytes, at + HEADER_BYTES, end));
      }
      at = end;
      end = endOf(bytes, at);
    }
    if (others < at) this.#onOthers(bytes.subarray(others, at));
    const isIncomplete = at < bytes.length;
    this.#parts = isIncomplete ? [bytes.subarray(at)] : [];
    this.#missing = isIncomplete ? end - bytes.length : 0;
  }
}

/** Returns the index after a message, or after its header while that is incomplete. */
function endOf(bytes: Buffer, at: number): number {
  if (bytes.length - at < HEADER_BYTES) return at + HEADER_BYTES;
  return at + 1 + bytes.readUInt32BE(at + 1);
}
