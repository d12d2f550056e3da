import { hash } from 'node:crypto';
import type { Configuration, CustomFetch } from 'openid-client';
import { guardedRequest } from '../../platform/outbound/guarded-request.ts';
import { isPublicAddress } from '../../platform/outbound/public-address.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';

declare module '../../platform/services.ts' {
  interface Services {
    /** How single sign-on reaches others. */
    singleSignOn: {
      /** Whether a provider may have a private address and no TLS. */
      allowsPrivateProviders: boolean;
      /** Where domains are looked up; the system's servers if empty. */
      dnsServers: readonly string[];
    };
  }
}

/** Each request to a provider takes at most this long, and its answer is at most this large. */
const REQUEST_MS = 10_000;
const MAX_ANSWER_BYTES = 1_048_576;

/** Loaded with the first single sign-on: it takes memory that most processes do not need. */
const library = () => import('openid-client');

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What a provider says of a person, verified. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  /** Null if the provider has not verified it. */
  email: string | null;
  name: string | null;
  /** When the person proved who it is to the provider; null if the provider does not say. */
  authenticatedAt: Date | null;
}

/**
 * Reads the settings of a provider from its own document, with each sign-in: its keys and its addresses may change at any time. Throws
 * `provider_failed`.
 */
async function connect(services: Services, settings: ProviderSettings): Promise<Configuration> {
  const { discovery, customFetch, allowInsecureRequests, enableNonRepudiationChecks, ClientSecretPost } =
    await library();
  const { allowsPrivateProviders } = services.singleSignOn;
  const url = URL.parse(settings.issuer);
  if (!url || !(url.protocol === 'https:' || (allowsPrivateProviders && url.protocol === 'http:')))
    throw failed('its address must begin with https://');
  const config = await discovery(url, settings.clientId, {}, ClientSecretPost(settings.clientSecret), {
    timeout: REQUEST_MS / 1_000,
    [customFetch]: boundedFetch(allowsPrivateProviders),
    execute: [
      // The signature of the ID token is verified with the provider's keys, beside the connection from which it comes.
      enableNonRepudiationChecks,
      ...(allowsPrivateProviders ? [allowInsecureRequests] : []),
    ],
  });
  return config;
}

/** Verifies that a provider can be reached and describes itself as OpenID providers do. Throws `provider_failed`. */
export async function checkProvider(services: Services, settings: ProviderSettings): Promise<void> {
  await orFail(services, () => connect(services, settings));
}

/** The state, the nonce and the verifier of a sign-in derive from one random text, which only the browser has. */
const derive = (purpose: string, text: string) => hash('sha256', `${purpose} ${text}`, 'base64url');

export interface AuthorizationOptions {
  /** The page to which the provider sends the person back. */
  redirectUrl: string;
  /** The random text of the challenge. */
  state: string;
  /** The address to sign in with, if it is known. */
  email: string | null;
  /** Whether the person must prove again who it is. */
  isFresh: boolean;
}

/** Returns the page of the provider on which the person signs in: the code flow with PKCE, a state and a nonce. */
export async function authorizationUrl(
  services: Services,
  settings: ProviderSettings,
  { redirectUrl, state, email, isFresh }: AuthorizationOptions,
): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
  return orFail(services, async () => {
    const config = await connect(services, settings);
    const verifier = derive('verifier', state);
    return buildAuthorizationUrl(config, {
      redirect_uri: redirectUrl,
      scope: 'openid email profile',
      state,
      nonce: derive('nonce', state),
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(email !== null && { login_hint: email }),
      ...(isFresh && { prompt: 'login', max_age: '0' }),
    }).href;
  });
}

/** Exchanges what the provider has sent with the person for what it says of it. Throws `provider_failed`. */
export async function redeem(
  services: Services,
  settings: ProviderSettings,
  { redirectUrl, state, query }: { redirectUrl: string; state: string; query: string },
): Promise<ProviderClaims> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  return orFail(services, async () => {
    const config = await connect(services, settings);
    const current = new URL(redirectUrl);
    current.search = query;
    const tokens = await authorizationCodeGrant(config, current, {
      expectedState: state,
      expectedNonce: derive('nonce', state),
      pkceCodeVerifier: derive('verifier', state),
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    // Many providers say in the ID token only who it is, and the rest when they are asked.
    const { email, email_verified, name } =
      claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
        ? await fetchUserInfo(config, tokens.access_token, claims.sub)
        : claims;
    return {
      issuer: settings.issuer,
      subject: claims.sub,
      name: typeof name === 'string' ? name.slice(0, 100).trim() : null,
      email: email_verified === true && typeof email === 'string' ? email : null,
      // A time to come, which would keep the session fresh until then, counts as now.
      authenticatedAt:
        typeof claims.auth_time === 'number'
          ? new Date(Math.min(claims.auth_time * 1_000, services.clock.now().getTime()))
          : null,
    };
  });
}

/** Whatever a provider does wrong is one error, whose cause only the log has: it can quote what the provider sent. */
async function orFail<T>(services: Services, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    services.log.info({ reason: reason.slice(0, 300) }, 'an OpenID provider failed');
    throw failed('it did not answer as expected');
  }
}

function failed(reason: string): ApiError {
  return new ApiError('provider_failed', {
    message: `The sign-in provider of the firm cannot be used: ${reason}.`,
  });
}

/** Returns a fetch that reaches public addresses only, follows no redirect, and is bounded in time and size. */
function boundedFetch(allowsPrivate: boolean): CustomFetch {
  return async (address, { method, headers, body }) => {
    const text = body === undefined || body === null ? undefined : String(body);
    const answer = await guardedRequest(
      new URL(address),
      {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: {
          ...headers,
          ...(text !== undefined && { 'Content-Length': String(Buffer.byteLength(text)) }),
        },
        ...(text !== undefined && { body: text }),
        signal: AbortSignal.timeout(REQUEST_MS),
      },
      { isAllowed: (ip) => allowsPrivate || isPublicAddress(ip) },
    );
    try {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
        chunks.push(chunk);
      }
      const type = answer.headers['content-type'];
      return new Response(Buffer.concat(chunks), {
        status: answer.statusCode ?? 500,
        ...(type !== undefined && { headers: { 'Content-Type': type } }),
      });
    } finally {
      answer.destroy();
    }
  };
}
