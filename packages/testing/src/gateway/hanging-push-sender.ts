import { createServices, sendPushes } from '@firmdesk/domain';
import { createTestProvider } from './push-devices.ts';

/** A process that sends the due pushes and then hangs before it records them. It prints each status, and a test kills it. */
const [databaseUrl, apnsUrl] = process.argv.slice(2) as [string, string];
const provider = createTestProvider({ url: apnsUrl });
const services = await createServices({
  databaseUrl,
  poolSizes: { main: 2 },
  push: {
    async send(push) {
      const { status } = await provider.send(push);
      process.stdout.write(`${status}\n`);
      return new Promise(() => {});
    },
    pauses: () => [],
    close: () => provider.close(),
  },
});
setInterval(() => {}, 60_000);
await sendPushes(services);
