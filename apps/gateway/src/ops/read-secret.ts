import { createInterface } from 'node:readline';

/** The first line of standard input; on a terminal it is asked for, and not echoed. Never an argument: others could see it. */
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
