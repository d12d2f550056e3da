import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import express from 'express';
import { createOpenApiExpressMiddleware } from 'trpc-to-openapi';
import { entities } from './entities.ts';
import { type Context, usualRouter } from './router.ts';

/** The calls of the bench, made the usual way: Express, trpc-to-openapi's adapter, an entity manager per request. */
const orm = await MikroORM.init({
  clientUrl: process.env['DATABASE_URL']!,
  entities,
  ensureDatabase: false,
  forceUtcTimezone: true,
  pool: { min: 0, max: 10 },
});
const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: '10mb' }));
app.use(
  createOpenApiExpressMiddleware({
    router: usualRouter,
    createContext: ({ req }): Context => ({
      em: orm.em.fork() as SqlEntityManager,
      authorization: req.headers.authorization,
      idempotencyKey: req.headers['idempotency-key'] as string | undefined,
    }),
    onError: ({ error }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR') process.stderr.write(`${error.stack}\n`);
    },
  }),
);

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` });
});

process.on('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await orm.close();
  process.disconnect?.();
});
