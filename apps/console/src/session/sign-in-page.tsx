import { asFirmdeskError } from '@firmdesk/client';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { browserName } from './browser-name.ts';
import { canUsePasskeys } from './can-use-passkeys.ts';
import { firm } from './firm.ts';
import { FirmList } from './firm-list.tsx';
import { firmOfPath } from './firm-path.ts';
import { knownDevice, rememberDevice } from './known-device.ts';
import { knownLogo } from './known-logo.ts';
import { pageAfter } from './page-after.ts';
import { SignedOutPage } from './signed-out-page.tsx';

const route = getRouteApi('/sign-in');

/** What shows who signs in. The choice of a firm sends it again. */
type Proof =
  | { email: string; password: string; device: string | undefined }
  | { challenge: string; code: string }
  | { response: Record<string, unknown> };

export function SignInPage() {
  usePageTitle('Sign in');
  const { back = '/', ended = false } = route.useSearch();
  const logo = knownLogo(firmOfPath(back));
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [proof, setProof] = useState<Proof | null>(null);
  /** What stands for the verified password while the code of a second factor is asked for. */
  const [challenge, setChallenge] = useState<string | null>(null);
  const signIn = useMutation({
    async mutationFn({ shown, workspace }: { shown: Proof; workspace?: string }) {
      setProof(shown);
      const session = { cookie: true, name: browserName(), ...(workspace && { workspace }) };
      return 'response' in shown
        ? client.sessions.signInWithPasskey.mutate({ ...shown, ...session })
        : client.sessions.signIn.mutate({ ...shown, ...session });
    },
    // A full page load discards the data and connections of a previous account.
    onSuccess({ tenant, device, user }) {
      rememberDevice(user.email, device);
      location.replace(pageAfter(tenant.slug, back));
    },
    onError(error, { shown }) {
      const { code: why, details } = asFirmdeskError(error);
      if (why === 'second_factor_required') setChallenge(details?.challenge ?? null);
      if (why === 'challenge_expired') setChallenge(null);
      // The URL already has one of the firms to choose from.
      if (choicesIn(error).some(({ value }) => value === firm)) signIn.mutate({ shown, workspace: firm! });
    },
  });
  const usePasskey = useMutation({
    async mutationFn() {
      const { askPasskey } = await import('./passkey.ts');
      return askPasskey();
    },
    onSuccess: (response) => response && signIn.mutate({ shown: { response } }),
  });
  const useProvider = useMutation({
    async mutationFn(workspace: string | undefined) {
      const { signInAtProvider } = await import('./provider-sign-in.ts');
      return signInAtProvider(workspace === undefined ? { email } : { workspace }, back);
    },
  });
  /** The firm that is signed in to by its provider only. */
  const needsProvider =
    signIn.error && asFirmdeskError(signIn.error).code === 'provider_required'
      ? asFirmdeskError(signIn.error).details?.workspace
      : undefined;
  const choices = signIn.error ? choicesIn(signIn.error) : [];
  const isBusy = signIn.isPending || signIn.isSuccess || usePasskey.isPending || useProvider.isPending;
  const isAskedForCode = signIn.error && asFirmdeskError(signIn.error).code === 'second_factor_required';
  const problem = isAskedForCode ? null : (useProvider.error ?? usePasskey.error ?? signIn.error);

  const submit = () => {
    signIn.mutate({
      shown: challenge === null ? { email, password, device: knownDevice(email) } : { challenge, code },
    });
  };
  const startAgain = () => {
    signIn.reset();
    setChallenge(null);
    setCode('');
  };

  if (choices.length > 0)
    return (
      <SignedOutPage logo={logo}>
        <p className="text-muted">You belong to several firms. Choose the one to open.</p>
        <FirmList
          firms={choices.map(({ value, name }) => ({ slug: value, name }))}
          isDisabled={signIn.isPending}
          onChoose={(workspace) => proof && signIn.mutate({ shown: proof, workspace })}
        />
        <Button variant="quiet" onClick={startAgain}>
          Back
        </Button>
      </SignedOutPage>
    );
  if (challenge !== null)
    return (
      <SignedOutPage logo={logo}>
        <Form isBusy={isBusy} onSubmit={submit} className="space-y-4">
          <p className="text-muted">Enter the code of your authenticator app, or a recovery code.</p>
          <TextField
            label="Code"
            autoComplete="one-time-code"
            required
            autoFocus
            maxLength={40}
            value={code}
            error={fieldError(problem, 'code', 'The code')}
            onChange={(event) => setCode(event.target.value)}
          />
          <FormError message={formError(problem, ['email', 'password', 'code'])} />
          <Button type="submit" variant="solid" className="h-10 w-full" disabled={isBusy}>
            {isBusy ? 'Signing in…' : 'Continue'}
          </Button>
          <Button variant="quiet" onClick={startAgain}>
            Back
          </Button>
        </Form>
      </SignedOutPage>
    );
  return (
    <SignedOutPage logo={logo}>
      <Form isBusy={isBusy} onSubmit={submit} className="space-y-4">
        {ended ? (
          <p role="status" className="rounded-md bg-warning-surface px-3 py-2 text-warning">
            You were signed out: your session has ended or was signed out elsewhere. Sign in to return to
            where you were.
          </p>
        ) : (
          <p className="text-muted">Sign in to your firm.</p>
        )}
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          error={fieldError(problem, 'email', 'The address')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          error={fieldError(problem, 'password', 'The password')}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FormError message={formError(problem, ['email', 'password', 'code'])} />
        <Button type="submit" variant="solid" className="h-10 w-full" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
      </Form>
      {canUsePasskeys && (
        <Button className="h-10 w-full" disabled={isBusy} onClick={() => usePasskey.mutate()}>
          Use a passkey
        </Button>
      )}
      <Button
        className="h-10 w-full"
        disabled={isBusy}
        onClick={() => useProvider.mutate(needsProvider ?? firmOfPath(back) ?? undefined)}
      >
        Use single sign-on
      </Button>
      <p>
        <Link to="/reset-password" className="underline">
          Forgot your password?
        </Link>
      </p>
    </SignedOutPage>
  );
}

/** Returns the firms that the service asks the account to choose from. */
function choicesIn(error: unknown) {
  return asFirmdeskError(error).fields.find(({ path }) => path === 'workspace')?.choices ?? [];
}
