import { createServer, type Server } from 'node:http';
import express from 'express';
import { type Health, healthRouter } from './http/health.ts';

/** Creates the server of a process that serves no calls: `/healthz`, `/readyz` and `/metrics`. It does not listen yet. */
export function createStatusServer(health: Health): Server {
  const app = express();
  app.disable('x-powered-by');
  app.use(healthRouter(health));
  app.use((_req, res) => void res.status(404).end());
  return createServer(app);
}
