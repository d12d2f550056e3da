import type { Client, Connection, Submittable } from 'pg';

const CHUNK_BYTES = 1 << 16;

/** The callbacks by which pg drives a custom query object. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): boolean;
  endCopyFrom(): void;
}

/** Runs `COPY … FROM STDIN` in text format, with backpressure. */
export function copyIn(client: Client, statement: string, rows: Iterable<string>): Promise<void> {
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

async function send(connection: CopyConnection, rows: Iterable<string>): Promise<void> {
  let lines: string[] = [];
  let size = 0;
  const flush = async () => {
    connection.sendCopyFromChunk(Buffer.from(lines.join('')));
    lines = [];
    size = 0;
    if (connection.stream.writableNeedDrain) {
      await new Promise<void>((resume) => connection.stream.once('drain', resume));
    }
  };
  for (const row of rows) {
    lines.push(row);
    size += row.length;
    if (size >= CHUNK_BYTES) await flush();
  }
  await flush();
  connection.endCopyFrom();
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
