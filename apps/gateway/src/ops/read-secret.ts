import { createInterface } from 'node:readline';

/**
 * Reads the first line of standard input. On a terminal it prompts and does not echo. Secrets are never arguments, because
 * other users of the machine can see those.
 */
export async function readSecret(): Promise<string> {
  const input = process.stdin;
  if (input.isTTY) {
    process.stderr.write('Password: ');
    input.setRawMode(true);
  }
  try {
    return input.isTTY ? await typed() : await firstLine();
  } finally {
    if (input.isTTY) {
      input.setRawMode(false);
      input.pause();
      process.stderr.write('\n');
    }
  }
}

async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

function typed(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    for (const key of chunk) {
      if (key === '\r' || key === '\n') resolve(text);
      else if (key === '\u0003') reject(new Error('Interrupted.'));
      else if (key === '\u007f') text = text.slice(0, -1);
      else text += key;
    }
  });
  return promise;
}
