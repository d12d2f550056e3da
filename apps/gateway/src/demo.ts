import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DEMO_EMAIL,
  DEMO_PASSWORD,
  DEMO_TOKEN,
  demoWorld,
  importWorld,
  type Services,
} from '@firmdesk/domain';
import { z } from 'zod';
import { writePrivateFile } from './private-file.ts';

/** How to try the demo world: printed at every start. */
export interface DemoAccess {
  email: string;
  password: string;
  token: string;
}

const FILE = 'demo.json';
const Saved = z.object({ installation: z.string(), token: z.string() });

/** Imports the demo world and keeps its token beside the data, for the next start's greeting. */
export async function importDemo(services: Services, dataDir: string): Promise<void> {
  const installation = await installationOf(services);
  await importWorld(services, demoWorld(services.clock.now()), {
    // Written before the import holds: a demo whose token nobody knows would be of little use.
    async beforeCommit({ tokens }) {
      const saved: z.infer<typeof Saved> = { installation, token: tokens[DEMO_TOKEN]! };
      await writePrivateFile(join(dataDir, FILE), JSON.stringify(saved));
    },
  });
}

/** The demo's access, if this very database has the demo world. */
export async function readDemoAccess(services: Services, dataDir: string): Promise<DemoAccess | null> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => null);
  const saved = text === null ? null : Saved.safeParse(JSON.parse(text));
  if (!saved?.success || saved.data.installation !== (await installationOf(services))) return null;
  return { email: DEMO_EMAIL, password: DEMO_PASSWORD, token: saved.data.token };
}

async function installationOf({ pool }: Services): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `select encode(sha256(secret), 'hex') as id from installation`,
  );
  return rows[0]!.id;
}
