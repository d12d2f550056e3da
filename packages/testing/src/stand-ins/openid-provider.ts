import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWK, Provider } from 'oidc-provider';

/** A person of the provider. */
export interface ProviderPerson {
  sub: string;
  email: string;
  email_verified: boolean;
}

export interface OpenIdProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who signs in next, without being asked. */
  person: ProviderPerson;
  /** Replaces the body of a path, such as `/jwks`. Null for the provider's own. */
  answerOf: (path: string) => string | null;
  /** Starts again at the same address with other keys. */
  rotateKeys(): Promise<void>;
  /** Signs in as a browser does, and returns the query with which the provider sends the person back. */
  signIn(url: string): Promise<string>;
}

/** Starts a real OpenID provider that knows one client, and asks nobody for a password. */
export async function startOpenIdProvider(redirectUrl: string): Promise<OpenIdProvider> {
  const clientId = 'firmdesk';
  const clientSecret = randomUUID();
  let server: Server | null = null;
  let port = 0;

  const listen = async () => {
    server = createServer((req, res) => void handle(req, res));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const close = async () => {
    server?.closeAllConnections();
    server?.close();
    if (server) await once(server, 'close');
  };
  let provider: Provider;
  const handle: RequestListener = async (req, res) => {
    const path = (req.url ?? '').split('?')[0]!;
    const replaced = started.answerOf(path);
    if (replaced !== null) return res.setHeader('Content-Type', 'application/json').end(replaced);
    if (path.startsWith('/interaction/'))
      return provider.interactionFinished(req, res, { login: { accountId: started.person.sub } });
    return provider.callback()(req, res);
  };
  const createProvider = () => {
    provider = new Provider(started.issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUrl],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [newKey()] },
      cookies: { keys: [randomUUID()] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...started.person, sub }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  };
  const started: OpenIdProvider = {
    issuer: '',
    clientId,
    clientSecret,
    person: { sub: 'unset', email: 'unset@example.com', email_verified: true },
    answerOf: () => null,
    async rotateKeys() {
      await close();
      createProvider();
      await listen();
    },
    async signIn(url) {
      const cookies = new Map<string, string>();
      for (let next = url, hops = 0; hops < 10; hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const set of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = set.split(';')[0]!.split(/=(.*)/s);
          cookies.set(name, value);
        }
        const location = answer.headers.get('location');
        if (location === null)
          throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
        next = new URL(location, next).href;
        if (next.startsWith(redirectUrl)) return new URL(next).search.slice(1);
      }
      throw new Error('The provider sends the browser in a circle.');
    },
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
  await listen();
  started.issuer = `http://127.0.0.1:${port}`;
  createProvider();
  return started;
}

/** Returns a private key that signs ID tokens (RS256). */
function newKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' } as JWK;
}
