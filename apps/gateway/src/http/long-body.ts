import type { IncomingMessage } from 'node:http';
import { COMPRESS_FROM_BYTES, Compressor, type Encoding, encodingOf } from './compress.ts';
import { EntityTagHash } from './entity-tag.ts';

/**
 * A long body of JSON in UTF-8. Its beginning is hashed and compressed while the rest is written: the headers, which precede it,
 * need its entity tag.
 */
export class LongBody {
  readonly #encoding: Encoding | null;
  readonly #tag = new EntityTagHash();
  readonly #compressesEarly: boolean;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #compressor: Compressor | null = null;

  constructor(req: IncomingMessage, { hasSecret }: { hasSecret: boolean }) {
    this.#encoding = hasSecret ? null : encodingOf(req);
    // The response may be 304, without a body.
    this.#compressesEarly = req.headers['if-none-match'] === undefined;
  }

  write(chunk: Uint8Array): void {
    this.#tag.update(chunk);
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#compressesEarly) this.#compress();
  }

  /** Returns the entity tag. Nothing may be written afterwards. */
  tag(requestId: string): string {
    return this.#tag.end(requestId);
  }

  /** Returns the body as it is sent, and its encoding. */
  async end(): Promise<{ chunks: readonly Uint8Array[]; encoding: Encoding | null }> {
    this.#compress();
    if (!this.#compressor) return { chunks: this.#chunks, encoding: null };
    return { chunks: await this.#compressor.end(), encoding: this.#encoding };
  }

  destroy(): void {
    this.#compressor?.destroy();
  }

  #compress(): void {
    if (!this.#encoding || this.#length < COMPRESS_FROM_BYTES) return;
    this.#compressor ??= new Compressor(this.#encoding);
    for (const chunk of this.#chunks) this.#compressor.write(chunk);
    this.#chunks = [];
  }
}
