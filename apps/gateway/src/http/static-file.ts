import { hash } from 'node:crypto';
import type { Request, Response } from 'express';

/** In order of preference. */
const encodings = ['br', 'gzip'] as const;

/** A file with its compressed forms, in memory: compressing it for each request would take far more time than to ask for it. */
export interface StaticFile {
  type: string;
  etag: string;
  isImmutable: boolean;
  content: Buffer;
  compressed: Partial<Record<(typeof encodings)[number], Buffer>>;
}

/** Returns the entity tag of a file. */
export function tagOf(content: Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** Sends a file, in the form that the client prefers. */
export function sendStaticFile(req: Request, res: Response, file: StaticFile): void {
  res.setHeader('Content-Type', file.type);
  res.setHeader('Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  res.setHeader('ETag', file.etag);
  res.setHeader('Vary', 'Accept-Encoding');
  if (req.headers['if-none-match'] === file.etag) return void res.status(304).end();
  const encoding = encodings.find((known) => file.compressed[known] && req.acceptsEncodings(known));
  if (encoding) res.setHeader('Content-Encoding', encoding);
  const content = (encoding && file.compressed[encoding]) || file.content;
  res.setHeader('Content-Length', content.length);
  res.end(req.method === 'HEAD' ? undefined : content);
}
