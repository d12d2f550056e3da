import type { Services } from './services.ts';

const secrets = new WeakMap<Services, Promise<Buffer>>();

/** The secret that every node of the installation shares and nobody outside knows; read once per process. */
export function installationSecret(services: Services): Promise<Buffer> {
  const known = secrets.get(services);
  if (known) return known;
  const reading = services.pool
    .query<{ secret: Buffer }>('select secret from installation')
    .then(({ rows }) => rows[0]!.secret);
  secrets.set(services, reading);
  // A database that is away now may answer later.
  reading.catch(() => secrets.delete(services));
  return reading;
}
