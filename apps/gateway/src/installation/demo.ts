import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ApiError,
  authenticate,
  deliverMail,
  hasPassword,
  issueKey,
  requestReports,
  type Services,
  withTransaction,
} from '@firmdesk/domain';
import { DEMO_EMAIL, DEMO_PASSWORD, DEMO_TOKEN } from '@firmdesk/seed/demo-account';
import { z } from 'zod';
import { writePrivateFile } from './private-file.ts';

/** The credentials of the demo data, printed at every start. */
export interface DemoAccess {
  email: string;
  /** Null after it was changed. */
  password: string | null;
  token: string;
}

const FILE = 'demo.json';
const Saved = z.object({ installation: z.string(), token: z.string() });

/** Most starts need no demo data. */
const loadSeed = () => import('@firmdesk/seed');

/** Imports the demo data and saves its token in the data folder, to print it at the next start. */
export async function importDemo(services: Services, dataDir: string): Promise<void> {
  const { demoDeliveries, demoSeed, importSeed } = await loadSeed();
  await importSeed(services, demoSeed(services.clock.now()), {
    // Before the commit, because the token cannot be read afterwards.
    beforeCommit: ({ tokens }) => saveToken(services, dataDir, tokens[DEMO_TOKEN]!),
  });
  // What an import file does not have: files and invitations.
  for (const { mailbox, raw } of demoDeliveries(services.clock.now()))
    await deliverMail(services, { mailbox, raw: Buffer.from(raw), folder: 'inbox' });
  await withTransaction(services, requestReports);
}

/**
 * Returns the demo's credentials; null if this database has no demo data. Replaces a revoked or expired token; returns null if
 * `mayIssue` forbids that or the demo's account was removed. Call it inside `withSetupLock`.
 */
export async function openDemo(
  services: Services,
  dataDir: string,
  mayIssue: boolean,
): Promise<DemoAccess | null> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => null);
  const saved = text === null ? null : Saved.safeParse(JSON.parse(text));
  if (!saved?.success || saved.data.installation !== (await installationOf(services))) return null;
  try {
    const isLive = await isAccepted(services, saved.data.token);
    if (!isLive && !mayIssue) return null;
    const token = isLive ? saved.data.token : await issueToken(services, dataDir);
    const hasItsPassword = await hasPassword(services, DEMO_EMAIL, DEMO_PASSWORD);
    return { email: DEMO_EMAIL, password: hasItsPassword ? DEMO_PASSWORD : null, token };
  } catch (error) {
    // The demo's user or firm was removed.
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}

async function isAccepted(services: Services, token: string): Promise<boolean> {
  try {
    await authenticate(services, token, services.clock.now());
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

/** Issues a token with the properties of the demo's first one, and saves it instead. */
async function issueToken(services: Services, dataDir: string): Promise<string> {
  const { demoSeed } = await loadSeed();
  const first = demoSeed(services.clock.now()).tokens!.find(({ key }) => key === DEMO_TOKEN)!;
  return withTransaction(services, async (ctx) => {
    const { text } = await issueKey(ctx, {
      email: DEMO_EMAIL,
      workspace: first.firm,
      scopes: first.scopes ?? [],
      environment: first.environment ?? 'live',
      name: first.name ?? null,
    });
    await saveToken(services, dataDir, text);
    return text;
  });
}

async function saveToken(services: Services, dataDir: string, token: string): Promise<void> {
  const saved: z.infer<typeof Saved> = { installation: await installationOf(services), token };
  await writePrivateFile(join(dataDir, FILE), JSON.stringify(saved));
}

async function installationOf({ pool }: Services): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `select encode(sha256(secret), 'hex') as id from installation`,
  );
  return rows[0]!.id;
}
