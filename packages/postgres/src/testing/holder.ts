// A process that uses a server: node holder.ts DATA_DIR|temporary [idle]
import pg from 'pg';
import { openServer, openTemporaryServer } from '../index.ts';

const [dataDir = '', idle] = process.argv.slice(2);

/** Works like an application: writes and reads a row over a connection that was opened before. */
async function holdUntilReleased(): Promise<void> {
  const server = await (dataDir === 'temporary' ? openTemporaryServer() : openServer({ dataDir }));
  const client = new pg.Client(server.url);
  client.on('error', () => undefined);
  await client.connect();

  const leave = async (answer: Record<string, unknown>) => {
    await client.end();
    await server.release();
    process.send?.({ ...answer, released: true }, () => process.disconnect());
  };
  process.once('message', () => leave({}));
  process.once('SIGTERM', async () => {
    const { rows } = await client.query('select 6 * 7 as answer');
    await leave({ drained: rows[0].answer });
  });
  process.send?.({
    url: server.url,
    socketUrl: server.socketUrl,
    started: server.started,
    note: server.note,
  });
}

if (idle) {
  const { url, socketUrl, started } = await openServer({ dataDir });
  process.send?.({ url, socketUrl, started });
  // The process has nothing left to do, so it must end.
  process.disconnect();
} else {
  await holdUntilReleased();
}
