import type {
  ProviderStarted,
  SignedIn,
  SignInWithProviderInput,
  StartProviderInput,
} from '@firmdesk/contract';
import type { z } from 'zod';
import { proveAddress } from '../../access/accounts/prove-address.ts';
import { recordAudit } from '../../access/audit/audit.ts';
import { createChallenge, takeChallenge } from '../../access/sign-in/challenges.ts';
import {
  type FirmProvider,
  findLinked,
  findProvider,
  linkMember,
  ownsDomainOf,
} from '../../access/sign-in/firm-provider.ts';
import { authorizationUrl, type ProviderClaims, redeem } from '../../access/sign-in/provider-client.ts';
import { acceptInviteOf } from '../../firm/index.ts';
import { networkOf } from '../../platform/address-key.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { CallContext } from '../../procedures/call-context.ts';
import { notifySecurityChange } from '../notify-security-change.ts';
import type { SessionResult } from '../sessions/session-cookie.ts';
import { openDeviceSession } from '../sign-in/open-device-session.ts';

/** Returns the page of the console to which a provider sends people back. */
export function redirectUrl({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return `${publicUrl()}/sign-in/provider`;
}

/** Finds the provider and asks it for its pages, before and outside of any transaction. Throws `resource_not_found`, `provider_failed`. */
export async function startProvider(
  ctx: CallContext,
  { workspace, email, is_fresh }: z.output<typeof StartProviderInput>,
): Promise<z.infer<typeof ProviderStarted>> {
  const { services, call } = ctx;
  await services.limits.signInStart(call.ip);
  if (workspace === undefined && email === undefined)
    throw invalidField('email', 'must be present, or a firm in its place');
  const provider = await findProvider(ctx, workspace === undefined ? { email: email! } : { slug: workspace });
  const { text: state } = await createChallenge(ctx, 'provider', null, { firm: provider.workspace.id });
  const url = await authorizationUrl(services, provider, {
    redirectUrl: redirectUrl(services),
    state,
    email: email ?? null,
    isFresh: is_fresh,
  });
  return { object: 'provider_started', url, state };
}

type Input = z.output<typeof SignInWithProviderInput>;
interface Verified {
  provider: FirmProvider;
  claims: ProviderClaims;
}

/** Ends the challenge, whatever follows, and asks the provider who the person is. Throws `challenge_expired`, `provider_failed`. */
export async function prepareProviderSignIn(ctx: CallContext, { query }: Input): Promise<Verified> {
  const { services, call } = ctx;
  await services.limits.signInStart(call.ip);
  const state = new URLSearchParams(query).get('state') ?? '';
  const { content } = await takeChallenge<{ firm: number }>(ctx, 'provider', state);
  const provider = await findProvider(ctx, { id: content.firm });
  const claims = await redeem(services, provider, { redirectUrl: redirectUrl(services), state, query });
  return { provider, claims };
}

/** Opens the session of the member of the firm to whom the account at the provider is linked. Throws `invalid_credentials` where there is none. */
export async function signInWithProvider(
  ctx: CallContext & { prepared: Verified },
  { name, cookie }: Input,
): Promise<SessionResult<SignedIn>> {
  const { provider, claims } = ctx.prepared;
  const { id, slug, name: firm } = provider.workspace;
  const userId = (await findLinked(ctx, id, claims)) ?? (await link(ctx, id, claims));
  if (userId === null)
    throw new ApiError('invalid_credentials', {
      message: `Your account at the provider is not that of a member of ${firm}. Ask an administrator of the firm to invite you.`,
    });
  const proof = { method: 'provider', verifiedAt: claims.authenticatedAt } as const;
  return openDeviceSession(ctx, userId, proof, { workspace: slug, name, cookie });
}

/** Links an account at the provider with a member of the firm or an invited person, by a verified address at a domain of the firm. */
async function link(ctx: CallContext, firm: number, claims: ProviderClaims): Promise<string | null> {
  const { email, name, issuer } = claims;
  if (email === null || !(await ownsDomainOf(ctx, firm, email))) return null;
  let userId = await linkMember(ctx, firm, claims);
  if (userId === null) {
    if (!(await acceptInviteOf(ctx, { id: firm }, { email, name: name || email }))) return null;
    await ctx.em.flush();
    userId = await linkMember(ctx, firm, claims);
  }
  if (userId !== null) {
    // The firm owns the domain, and its provider has verified the address.
    await proveAddress(ctx, userId);
    await recordAudit({ ...ctx, actor: { kind: 'account', id: userId } }, firm, {
      action: 'user.provider_linked',
      target: { type: 'user', id: userId },
      after: { issuer },
    });
    const network = networkOf(ctx.call.ip);
    await notifySecurityChange(ctx, { userId, change: 'provider_linked', network });
  }
  return userId;
}
