import { openApnsServer } from '@firmdesk/gateway/testing';

/** Apple's push service in a process of its own: each answer takes 40 ms, a connection has a thousand streams. */
const server = await openApnsServer({
  answerAfterMs: 40,
  streams: 1_000,
  // Nobody asks for what came.
  onReceived: () => server.received.splice(0),
});
process.send?.({ url: server.url });
process.on('SIGTERM', () => process.exit(0));
