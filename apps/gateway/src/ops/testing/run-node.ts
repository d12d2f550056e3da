import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of the gateway until it ends, and kills it after 150 seconds. */
export async function runNode(
  program: 'main.ts' | 'ops/main.ts',
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Outcome> {
  const path = new URL(`../../${program}`, import.meta.url).pathname;
  const ran = promisify(execFile)(process.execPath, [path, ...args], {
    cwd,
    env,
    timeout: 150_000,
    killSignal: 'SIGKILL',
  });
  return ran.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}
