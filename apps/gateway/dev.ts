import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import pretty from 'pino-pretty';

const HELP = `Usage: pnpm dev [--console-port PORT]

Starts the gateway with readable logs and restarts it when its code changes. Also starts the console's development server
(Vite, port 5173 by default), which forwards calls to the gateway. Both read their configuration from the environment.
`;

const consoleFolder = dirname(createRequire(import.meta.url).resolve('@firmdesk/console/package.json'));
const fromConsole = createRequire(join(consoleFolder, 'package.json'));

/** Runs both processes until a signal arrives or one of them exits. Returns the exit code of the one that exited first. */
async function dev(consolePort: string): Promise<number> {
  const { HOST = '127.0.0.1', PORT = '4000' } = process.env;
  const gateway = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', join(import.meta.dirname, 'src/main.ts')],
    { stdio: ['ignore', 'inherit', 'pipe'] },
  );
  gateway.stderr.pipe(pretty({ destination: 2, colorize: process.stderr.isTTY, ignore: 'pid', sync: true }));
  const vite = join(dirname(fromConsole.resolve('vite/package.json')), 'bin/vite.js');
  const console = spawn(process.execPath, [vite, '--port', consolePort], {
    cwd: consoleFolder,
    env: { ...process.env, FIRMDESK_GATEWAY: process.env['FIRMDESK_GATEWAY'] ?? `http://${HOST}:${PORT}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const both = [gateway, console];
  const stop = () => both.forEach(endProcess);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const exits = both.map(async (child) => ((await once(child, 'exit')) as [number | null])[0] ?? 0);
  const first = await Promise.race(exits);
  stop();
  await Promise.all(exits);
  return first;
}

function endProcess(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
}

const { values } = parseArgs({
  options: { 'console-port': { type: 'string', default: '5173' }, help: { type: 'boolean' } },
});
if (values.help) process.stdout.write(HELP);
else process.exitCode = await dev(values['console-port']);
