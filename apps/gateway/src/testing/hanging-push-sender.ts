import { createServices, sendPushes } from '@firmdesk/domain';
import { createTestProvider } from './push-devices.ts';

/** A process that sends what is due and dies before it notes so: it says when, and waits to be killed. */
const [databaseUrl, apnsUrl] = process.argv.slice(2) as [string, string];
const provider = createTestProvider({ url: apnsUrl });
const services = await createServices({
  databaseUrl,
  poolMax: 2,
  push: {
    async send(push) {
      const { status } = await provider.send(push);
      process.stdout.write(`${status}\n`);
      return new Promise(() => {});
    },
    lanes: () => [],
    close: () => provider.close(),
  },
});
setInterval(() => {}, 60_000);
await sendPushes(services);
