import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exclusively, isEmpty, type Log, migrate, startWorkers } from '@firmdesk/domain';
import { createApp } from './app.ts';
import type { Config, Role } from './config.ts';
import { type DemoAccess, importDemo, readDemoAccess } from './demo.ts';
import { readConsole } from './http/console.ts';
import { openInstallation } from './installation.ts';

export interface Gateway {
  url: string;
  /** How to try the demo; null without one. */
  demo: DemoAccess | null;
  note: string | null;
  /** Drains, then stops everything that was started. */
  close(): Promise<void>;
}

/** Brings a gateway up: server, schema, demo world, listener. What fails on the way takes down what was started before it. */
export async function startGateway(config: Config, role: Role, log: Log): Promise<Gateway> {
  let url = config.publicUrl ?? `http://${bracketed(config.host)}:${config.port}`;
  const installation = await openInstallation(config, log, url);
  try {
    const { services } = installation;
    await exclusively(installation.databaseUrl, async () => {
      const applied = await migrate(services);
      if (applied.length > 0) log.info({ applied }, 'migrated');
      const wantsDemo = config.demo ?? installation.isEmbedded;
      if (wantsDemo && (await isEmpty(services))) await importDemo(services, config.dataDir);
    });
    const demo = await readDemoAccess(services, config.dataDir);
    const worker = role === 'gateway' ? null : await startWorkers(services);
    const stopWorker = async () => {
      await worker?.stop();
      await installation.close();
    };
    if (role === 'worker') return { url, demo, note: installation.note, close: stopWorker };

    const console = await readConsole();
    if (!console) log.warn({}, 'the console is not built, and not served; `pnpm build` builds it');
    const app = createApp({
      services,
      log,
      metrics: config.metrics,
      trustedProxies: config.trustedProxies,
      publicUrl: () => url,
      console,
    });
    app.server.listen(config.port, config.host);
    // An occupied port arrives here as an error.
    await once(app.server, 'listening');
    const { port } = app.server.address() as AddressInfo;
    url = config.publicUrl ?? `http://${bracketed(config.host)}:${port}`;
    log.info({ url, role }, 'listening');
    return {
      url,
      demo,
      note: installation.note,
      async close() {
        await app.drain();
        await stopWorker();
      },
    };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
