import { keepCompiled } from './keep-compiled.ts';

// As process 1 of a container, a process that does not handle SIGTERM ignores it. The modules below take a moment to load.
const exit = () => process.exit(143);
process.on('SIGTERM', exit);

keepCompiled();
const [{ start }, { formatFatalError }] = await Promise.all([
  import('./start.ts'),
  import('./process/format-fatal-error.ts'),
]);

try {
  await start(process.env, () => process.off('SIGTERM', exit));
} catch (error) {
  process.stderr.write(`${formatFatalError(error)}\n`);
  process.exit(1);
}
