import { createServices, sendPushes } from '@firmdesk/domain';
import { openProvider } from './phones.ts';

/** A process that sends what is due and dies before it notes so: it says when, and waits to be killed. */
const [databaseUrl, apnsUrl] = process.argv.slice(2) as [string, string];
const provider = openProvider({ url: apnsUrl });
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
