import { asFirmdeskError } from '@firmdesk/client';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { trpc } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { chosenFirm } from './chosen-firm.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  usePageTitle('Sign in');
  const { back } = route.useSearch();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [workspace, setWorkspace] = useState('');
  const signIn = useMutation(
    trpc.sessions.signIn.mutationOptions({
      onSuccess() {
        chosenFirm.set(null);
        // A whole new page: nothing of an earlier account or connection stays.
        location.replace(back ?? '/tickets');
      },
    }),
  );
  const refusal = signIn.error && asFirmdeskError(signIn.error);
  const workspaceError = refusal?.fields?.find(({ path }) => path === 'workspace')?.message;
  // An account of several firms is asked which only once that is known to matter.
  const asksWorkspace = workspace !== '' || workspaceError !== undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ email, password, cookie: true, name: browserName(), ...(workspace && { workspace }) });
  };

  return (
    <main className="grid min-h-full place-items-center p-6">
      <form
        onSubmit={submit}
        className="w-full max-w-sm space-y-4 rounded-xl border border-line bg-surface p-8 shadow-sm"
      >
        <h1 className="text-xl font-semibold">Firmdesk</h1>
        <p className="text-muted">Sign in to your firm’s desk.</p>
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
        {asksWorkspace && (
          <TextField
            label="Firm"
            value={workspace}
            error={workspaceError && `The firm ${workspaceError}.`}
            autoCapitalize="none"
            onChange={(event) => setWorkspace(event.target.value.trim())}
          />
        )}
        {refusal && !workspaceError && (
          <p role="alert" className="rounded-md bg-danger-surface px-3 py-2 text-danger">
            {refusal.message}
          </p>
        )}
        <Button type="submit" look="solid" className="h-10 w-full" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
    </main>
  );
}

/** How this browser is named among the sessions. */
function browserName(): string {
  const agent = navigator.userAgent;
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(name)) ?? 'Browser';
  const system = ['Windows', 'Mac OS', 'Android', 'iPhone', 'iPad', 'Linux'].find((name) =>
    agent.includes(name),
  );
  return `${browser === 'Edg' ? 'Edge' : browser}${system ? ` on ${system}` : ''}`;
}
