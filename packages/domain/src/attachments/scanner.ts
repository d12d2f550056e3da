import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ScanState } from '@firmdesk/contract';
import type { Services } from '../platform/services.ts';

/** Finds malware in files. */
export interface Scanner {
  /** Reads a whole content. Throws if it could not be scanned. */
  scan(content: Readable): Promise<'clean' | 'infected'>;
}

declare module '../platform/services.ts' {
  interface Services {
    /** Null: files are not scanned. */
    scanner: Scanner | null;
  }
}

/** Returns whether a file cannot be read yet. Without a scanner nobody would scan it any more. */
export function awaitsScan({ scanner }: Pick<Services, 'scanner'>, scan: ScanState | null): boolean {
  return scan === 'waiting' && scanner !== null;
}

const TIMEOUT_MS = 120_000;
/** A scanner that prints more has failed. */
const MAX_OUTPUT_BYTES = 1_048_576;
const FILE = '{file}';
const results: Readonly<Record<number, 'clean' | 'infected'>> = { 0: 'clean', 1: 'infected' };

/** Returns the program and the arguments of a command, which blanks separate. Throws if there are none. */
export function readScanCommand(text: string): readonly [program: string, ...args: string[]] {
  const [program, ...args] = text.trim().split(/\s+/);
  if (!program || program === FILE)
    throw new TypeError('must be a program and its arguments, such as "clamdscan --no-summary {file}"');
  return [program, ...args];
}

/**
 * Returns a scanner that runs a program, without a shell: exit code 0 means clean, 1 infected, others that it could not scan. The content is
 * in the file that `{file}` in an argument stands for; without it, the program reads it from its standard input.
 */
export function commandScanner(command: string, timeoutMs = TIMEOUT_MS): Scanner {
  const [program, ...args] = readScanCommand(command);
  return {
    async scan(content) {
      if (!args.some((arg) => arg.includes(FILE))) return run(program, args, timeoutMs, content);
      const folder = await mkdtemp(join(tmpdir(), 'firmdesk-scan-'));
      try {
        const file = join(folder, 'content');
        await pipeline(content, createWriteStream(file, { mode: 0o600 }));
        return await run(
          program,
          args.map((arg) => arg.replaceAll(FILE, file)),
          timeoutMs,
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function run(
  program: string,
  args: readonly string[],
  timeout: number,
  content?: Readable,
): Promise<'clean' | 'infected'> {
  let sent: Promise<void> = Promise.resolve();
  const result = await new Promise<'clean' | 'infected'>((resolve, reject) => {
    const options = { timeout, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
    const child = execFile(program, args, options, (error) => {
      // `code` is a text if the program could not be started, and the signal is set if it was stopped.
      const code = error === null ? 0 : error.code;
      const found = typeof code === 'number' && !error?.killed ? results[code] : undefined;
      if (found) resolve(found);
      else reject(new Error(`the scanner failed: ${error!.message}`, { cause: error! }));
    });
    if (!content) child.stdin?.end();
    else {
      sent = send(content, child.stdin!);
      sent.catch(() => {});
    }
  });
  // A content that could not be read from the store is not clean.
  if (result === 'clean') await sent;
  return result;
}

/** Sends a content to a program, which may end before it has read everything. */
async function send(content: Readable, stdin: Writable): Promise<void> {
  let failure: { error: unknown } | null = null;
  // A program that has ended closes its input, and the content with it.
  content.once('error', (error) => {
    if (!stdin.destroyed) failure = { error };
  });
  await pipeline(content, stdin).catch(() => {});
  if (failure) throw (failure as { error: unknown }).error;
}
