import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// As process 1 of a container, a process that does not handle SIGTERM ignores it. The modules below take a moment to load.
const exit = () => process.exit(143);
process.on('SIGTERM', exit);

// Compiling the modules is two fifths of the processor time of a start. Beside the code and not in the shared folder for temporary files,
// because the cache is executed. Where the folder is read-only, the modules are compiled at each start.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));

const [{ start }, { formatFatalError }] = await Promise.all([
  import('./start.ts'),
  import('./format-fatal-error.ts'),
]);

try {
  await start(process.env, () => process.off('SIGTERM', exit));
} catch (error) {
  process.stderr.write(`${formatFatalError(error)}\n`);
  process.exit(1);
}
