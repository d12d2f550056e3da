import type { Client, Connection, Submittable } from 'pg';

const CHUNK_BYTES = 1 << 16;

/** The callbacks by which pg drives a custom query object. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): boolean;
  endCopyFrom(): void;
}

/** Runs `COPY … FROM STDIN` in text format, with backpressure. The rows are lines, or buffers of many lines. */
export function copyIn(client: Client, statement: string, rows: Iterable<string | Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => {
        send(connection, rows).catch(reject);
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => resolve(),
      handleError: (error: Error) => reject(error),
    };
    client.query(copy as unknown as Submittable);
  });
}

async function send(connection: CopyConnection, rows: Iterable<string | Buffer>): Promise<void> {
  for (const chunk of chunksOf(rows)) {
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain) {
      await new Promise<void>((resume) => connection.stream.once('drain', resume));
    }
  }
  connection.endCopyFrom();
}

function* chunksOf(rows: Iterable<string | Buffer>): Generator<Buffer> {
  let lines: string[] = [];
  let size = 0;
  for (const row of rows) {
    if (typeof row !== 'string') {
      yield row;
      continue;
    }
    lines.push(row);
    size += row.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
    size = 0;
  }
  if (size > 0) yield Buffer.from(lines.join(''));
}

/** Formats a row: tabs between values, `\N` for null, and a newline at the end. */
export function copyLine(values: readonly (string | number | boolean | null)[]): string {
  let line = '';
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (i > 0) line += '\t';
    if (value === null) line += '\\N';
    else if (typeof value === 'string') line += /[\\\t\n\r]/.test(value) ? escaped(value) : value;
    else line += value;
  }
  return `${line}\n`;
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}
