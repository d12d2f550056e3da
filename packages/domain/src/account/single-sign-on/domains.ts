import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { MAX_SIGN_IN_DOMAINS, type SignInDomain } from '@firmdesk/contract';
import { sql } from 'kysely';
import { sqlState } from '../../platform/database/database-errors.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

const PREFIX = 'firmdesk-verification=';
const recordName = (domain: string) => `_firmdesk.${domain}`;
/** DNS servers are asked twice, for this long each time. */
const LOOKUP = { timeout: 3_000, tries: 2 };

/** Returns the domains of the firm, with the DNS record that proves each. */
export async function listDomains({ db, workspace }: AccountContext): Promise<SignInDomain[]> {
  const rows = await db
    .selectFrom('sign_in_domains')
    .select(['domain', 'proof', 'verified_at'])
    .where('workspace_id', '=', workspace.id)
    .orderBy('domain')
    .execute();
  return rows.map(({ domain, proof, verified_at }) => ({
    domain,
    record_name: recordName(domain),
    record_text: PREFIX + proof,
    verified_at,
  }));
}

/** Adds a domain, which does not count until {@link verifyDomain}. */
export async function addDomain(ctx: AccountContext, { domain }: { domain: string }): Promise<void> {
  const { db, now, workspace } = ctx;
  // A separate statement, so that the count includes what calls at the same time have added.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in domains ${workspace.id}`}, 0))`.execute(
    db,
  );
  if ((await listDomains(ctx)).length >= MAX_SIGN_IN_DOMAINS)
    throw invalidField('domain', `must be one of at most ${MAX_SIGN_IN_DOMAINS}`);
  await db
    .insertInto('sign_in_domains')
    .values({
      workspace_id: workspace.id,
      domain,
      proof: newProof(),
      created_at: now,
      verified_at: null,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'domain']).doNothing())
    .execute();
}

/**
 * Makes the firm prove its domains again, with other records. A proof is for one provider: otherwise whoever may change the settings could name a
 * provider of their own, and sign in as any colleague.
 */
export async function resetDomains({ db, workspace }: AccountContext): Promise<void> {
  const domains = await db
    .selectFrom('sign_in_domains')
    .select('domain')
    .where('workspace_id', '=', workspace.id)
    .forUpdate()
    .execute();
  for (const { domain } of domains)
    await db
      .updateTable('sign_in_domains')
      .set({ proof: newProof(), verified_at: null })
      .where('workspace_id', '=', workspace.id)
      .where('domain', '=', domain)
      .execute();
}

const newProof = () => randomBytes(16).toString('base64url');

/** Looks the record of a domain up, before the transaction, and returns its text. Throws `resource_not_found`, and `validation_failed` without the record. */
export async function prepareVerification(
  ctx: AccountContext,
  { domain }: { domain: string },
): Promise<{ proved: string }> {
  const known = (await listDomains(ctx)).find((each) => each.domain === domain);
  if (!known) throw new ApiError('resource_not_found');
  const texts = await readTexts(ctx.services, known.record_name);
  if (!texts.includes(known.record_text))
    throw invalidField(
      'domain',
      `must have the TXT record ${known.record_name} with the text ${known.record_text}`,
    );
  return { proved: known.record_text };
}

/** Makes a domain count whose record was found. Another firm may have proved it meanwhile, and the record may be another. Throws `resource_not_found`. */
export async function verifyDomain(
  { db, now, workspace, prepared }: AccountContext & { prepared: { proved: string } },
  domain: string,
): Promise<void> {
  let verified: { domain: string } | undefined;
  try {
    verified = await db
      .updateTable('sign_in_domains')
      .set({ verified_at: now })
      .where('workspace_id', '=', workspace.id)
      .where('domain', '=', domain)
      .where('proof', '=', prepared.proved.slice(PREFIX.length))
      .returning('domain')
      .executeTakeFirst();
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    throw invalidField('domain', 'must be a domain that no other firm signs in with');
  }
  if (!verified) throw new ApiError('resource_not_found');
}

/** Removes a domain. Links that were made by it stay. */
export async function removeDomain({ db, workspace }: AccountContext, domain: string): Promise<void> {
  await db
    .deleteFrom('sign_in_domains')
    .where('workspace_id', '=', workspace.id)
    .where('domain', '=', domain)
    .execute();
}

/** Returns the texts of a name; none if no server answers. */
async function readTexts({ singleSignOn: { dnsServers } }: Services, name: string): Promise<string[]> {
  const resolver = new Resolver(LOOKUP);
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.map((parts) => parts.join(''));
}
