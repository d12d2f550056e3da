import { asFirmdeskError } from '@firmdesk/client';
import { PLATFORM } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { trpc } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { errorText } from '../ui/error-text.ts';
import { FormError, TextField } from '../ui/field.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { browserName } from './browser-name.ts';
import { firm } from './firm.ts';
import { FirmList } from './firm-list.tsx';
import { firmOfPath, firmPath, pageOfPath } from './firm-path.ts';
import { knownDevice, rememberDevice } from './known-device.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  usePageTitle('Sign in');
  const { back = '/', ended = false } = route.useSearch();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation(
    trpc.sessions.signIn.mutationOptions({
      // A full page load discards the data and connections of a previous account.
      onSuccess({ tenant, device }) {
        rememberDevice(email, device);
        location.replace(pageAfter(tenant.slug, back));
      },
      onError(error) {
        // The URL already has one of the firms to choose from.
        if (choicesIn(error).some(({ value }) => value === firm)) enter(firm!);
      },
    }),
  );
  const choices = signIn.error ? choicesIn(signIn.error) : [];

  const enter = (workspace?: string) =>
    signIn.mutate({
      email,
      password,
      device: knownDevice(email),
      cookie: true,
      name: browserName(),
      ...(workspace && { workspace }),
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter();
  };

  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="w-full max-w-sm space-y-4 rounded-xl border border-line bg-surface p-8 shadow-sm">
        <h1 className="text-xl font-semibold">Firmdesk</h1>
        {choices.length > 0 ? (
          <>
            <p className="text-muted">You belong to several firms. Choose the one to open.</p>
            <FirmList
              firms={choices.map(({ value, name }) => ({ slug: value, name }))}
              isDisabled={signIn.isPending}
              onChoose={enter}
            />
            <Button variant="quiet" onClick={() => signIn.reset()}>
              Back
            </Button>
          </>
        ) : (
          <form onSubmit={submit} className="space-y-4">
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
              onChange={(event) => setEmail(event.target.value)}
            />
            <TextField
              label="Password"
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
            <FormError message={signIn.error && errorText(signIn.error)} />
            <Button
              type="submit"
              variant="solid"
              className="h-10 w-full"
              disabled={signIn.isPending || signIn.isSuccess}
            >
              {signIn.isPending || signIn.isSuccess ? 'Signing in…' : 'Sign in'}
            </Button>
          </form>
        )}
      </div>
    </main>
  );
}

/** Returns the firms that the service asks the account to choose from. */
function choicesIn(error: unknown) {
  return asFirmdeskError(error).fields.find(({ path }) => path === 'workspace')?.choices ?? [];
}

/** Returns the page to open after signing in: `back` if the session can open it. A staff session can open every firm. */
function pageAfter(workspace: string, back: string): string {
  const named = firmOfPath(back);
  if (workspace === PLATFORM || workspace === named) return back;
  return firmPath(workspace, named === null ? pageOfPath(back) : '/');
}
