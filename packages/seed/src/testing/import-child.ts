import { createServices } from '@firmdesk/domain';
import { importFromFile } from '../file/import-from-file.ts';

/**
 * A process that imports a file: `node import-child.ts DATABASE_URL FILE [BATCH STOP]`. With STOP it halts after this
 * many tickets, in the middle of a transaction, prints `halted`, and waits to be killed.
 */
const [databaseUrl, path, batch, stop] = process.argv.slice(2);
const services = await createServices({ databaseUrl: databaseUrl!, poolSizes: { main: 2 } });
const { ids } = await importFromFile(services, path!, {
  batch: batch === undefined ? undefined : Number(batch),
  onProgress({ phase, list, done }) {
    if (stop === undefined || phase !== 'write' || list !== 'tickets' || done < Number(stop)) return;
    process.stdout.write('halted\n', () => {});
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
process.stdout.write(`${Object.keys(ids.tickets).length}\n`);
process.exit(0);
