import type { Services } from './services.ts';

const secrets = new WeakMap<Services, Promise<Buffer>>();

/** Returns the secret of the installation, which all its processes share. Read once per process. */
export function installationSecret(services: Services): Promise<Buffer> {
  const known = secrets.get(services);
  if (known) return known;
  const reading = services.pool
    .query<{ secret: Buffer }>('select secret from installation')
    .then(({ rows }) => rows[0]!.secret);
  secrets.set(services, reading);
  // Not cached after a failure: the database may answer later.
  reading.catch(() => secrets.delete(services));
  return reading;
}
