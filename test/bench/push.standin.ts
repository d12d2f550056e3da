import { openApnsServer } from '@firmdesk/testing/gateway';

/** A stand-in for APNs as a process: answers take 40 ms, and a connection has 1,000 streams. */
const server = await openApnsServer({
  answerAfterMs: 40,
  streams: 1_000,
  // The received pushes are not needed.
  onReceived: () => server.received.splice(0),
});
process.send?.({ url: server.url });
process.on('SIGTERM', () => process.exit(0));
