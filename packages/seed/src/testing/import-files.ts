import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface Folder extends AsyncDisposable {
  path: string;
  /** Writes a file, a string unchanged and any other value as JSON; returns its path. */
  write(name: string, content: unknown): Promise<string>;
}

/** Creates a temporary folder, deleted on disposal. */
export async function openFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'firmdesk-import-'));
  return {
    path,
    async write(name, content) {
      const text =
        typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
      await writeFile(join(path, name), text);
      return join(path, name);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

/** Writes an import file with many tickets of one message with a picture each. The records they refer to come after them. */
export async function writeManyTickets(path: string, count: number, pictureBytes = 10): Promise<void> {
  const picture = `data:image/png;base64,${'A'.repeat(pictureBytes)}`;
  function* text() {
    yield '{"tickets":[';
    for (let i = 0; i < count; i++) {
      const messages = [{ from: 'trader', body: 'Hello', image_url: picture, created_at: 'now-P1D' }];
      const ticket = {
        key: `t${i}`,
        firm: 'many',
        trader: 'trader',
        subject: `Ticket ${i}`,
        status: 'open',
        created_at: 'now-P1D',
        messages,
      };
      yield `${i === 0 ? '' : ',\n'}${JSON.stringify(ticket)}`;
    }
    yield '],"users":[{"key":"trader","email":"trader@many.example","name":"Trader"}],';
    yield '"firms":[{"slug":"many","name":"Many"}],"tokens":[{"key":"token","user":"trader","firm":"many","kind":"device"}]}';
  }
  await pipeline(Readable.from(text()), createWriteStream(path));
}
