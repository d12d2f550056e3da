import { asFirmdeskError, createRpcClient } from '@firmdesk/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client, trpc } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { errorText } from '../ui/error-text.ts';
import { FormError, TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { FirmLogo } from '../ui/firm-logo.tsx';
import { Form } from '../ui/form.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { browserName } from './browser-name.ts';
import { browserSessionsQuery } from './browser-sessions.ts';
import { firmPath } from './firm-path.ts';
import { knownDevice, rememberDevice } from './known-device.ts';

const route = getRouteApi('/join/$workspace/$invite');

/** The page of an invite's link: a new person sets a name and a password, an account joins the firm. */
export function JoinPage() {
  usePageTitle('Join');
  const { workspace, invite: id } = route.useParams();
  // The router reads the hash as a part of the page's address.
  const [key] = useState(() => location.hash.slice(1));
  const link = { workspace, invite: id, key };
  const invite = useQuery(trpc.invites.get.queryOptions(link, { retry: false }));
  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="w-full max-w-sm space-y-4 rounded-xl border border-line bg-surface p-8 shadow-sm">
        {invite.isPending ? (
          <LoadingRows label="Loading the invite" rows={3} />
        ) : invite.isError ? (
          asFirmdeskError(invite.error).code === 'resource_not_found' ? (
            <Ended>This link belongs to no invite. Check that you opened all of it.</Ended>
          ) : (
            <ErrorState error={invite.error} onRetry={() => void invite.refetch()} />
          )
        ) : invite.data.state === 'accepted' ? (
          <Ended>
            This invite was accepted. <SignInLink workspace={workspace}>Sign in</SignInLink>
          </Ended>
        ) : invite.data.state !== 'pending' ? (
          <Ended>This invite has ended. Ask {invite.data.invited_by} for another.</Ended>
        ) : (
          <>
            <FirmLogo url={invite.data.tenant.logo_url} className="h-12 max-w-full" />
            <h1 className="text-xl font-semibold">Join {invite.data.tenant.name}</h1>
            <p className="text-muted">
              {invite.data.invited_by} invites {invite.data.email} to the team.
            </p>
            <JoinForm link={link} email={invite.data.email} hasAccount={invite.data.has_account} />
          </>
        )}
      </div>
    </main>
  );
}

function Ended({ children }: { children: ReactNode }) {
  return (
    <>
      <h1 className="text-xl font-semibold">Firmdesk</h1>
      <p role="status">{children}</p>
    </>
  );
}

function SignInLink({ workspace, children }: { workspace: string; children: ReactNode }) {
  return (
    <a
      className="text-accent underline"
      href={`/sign-in?back=${encodeURIComponent(firmPath(workspace, '/'))}`}
    >
      {children}
    </a>
  );
}

interface Link {
  workspace: string;
  invite: string;
  key: string;
}

/** `hasAccount`: null by a copied link, which does not tell whether the address has an account. */
function JoinForm({ link, email, hasAccount }: { link: Link; email: string; hasAccount: boolean | null }) {
  const isNew = hasAccount !== true;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const sessions = useQuery(browserSessionsQuery());
  const session = sessions.data?.find(({ user }) => user.email.toLowerCase() === email.toLowerCase());
  const open = (slug: string) => location.replace(firmPath(slug, '/'));
  const accept = useMutation({
    async mutationFn() {
      const { tenant } = await client.invites.accept.mutate({ ...link, ...(isNew && { name }), password });
      try {
        const { device } = await client.sessions.signIn.mutate({
          email,
          password,
          workspace: tenant.slug,
          device: knownDevice(email),
          cookie: true,
          name: browserName(),
        });
        rememberDevice(email, device);
        open(tenant.slug);
      } catch {
        // The account is a member now; signing in may need more than the password.
        location.replace(`/sign-in?back=${encodeURIComponent(firmPath(tenant.slug, '/'))}`);
      }
    },
  });
  const submit = () => {
    accept.mutate();
  };
  if (session) return <JoinAs link={link} workspace={session.workspace.slug} name={session.user.name} />;
  const isBusy = accept.isPending || accept.isSuccess;
  return (
    <Form isBusy={isBusy} onSubmit={submit} className="space-y-4">
      <p>
        {hasAccount === null
          ? 'If this address has an account, enter its password. Otherwise choose one.'
          : isNew
            ? 'Choose a name and a password.'
            : 'This address has an account: enter its password to join.'}
      </p>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      {isNew && (
        <TextField
          label="Name"
          autoComplete="name"
          required
          autoFocus
          maxLength={100}
          value={name}
          error={fieldError(accept.error, 'name', 'The name')}
          onChange={({ target }) => setName(target.value)}
        />
      )}
      <TextField
        label="Password"
        type="password"
        autoComplete={hasAccount === false ? 'new-password' : 'current-password'}
        required
        {...(isNew && { hint: 'At least 10 characters.' })}
        value={password}
        error={fieldError(accept.error, 'password', 'The password')}
        onChange={({ target }) => setPassword(target.value)}
      />
      <FormError message={formError(accept.error, ['name', 'password'])} />
      <Button type="submit" variant="solid" className="h-10 w-full" disabled={isBusy}>
        {isBusy ? 'Joining…' : 'Join'}
      </Button>
      <p>
        <SignInLink workspace={link.workspace}>Or use your company’s single sign-on</SignInLink>
      </p>
    </Form>
  );
}

/** Joins with the account that is signed in in this browser. */
function JoinAs({ link, workspace, name }: { link: Link; workspace: string; name: string }) {
  const join = useMutation({
    async mutationFn() {
      const signedIn = createRpcClient({ url: location.origin, workspace });
      try {
        const { tenant } = await signedIn.invites.join.mutate(link);
        await signedIn.sessions.open.mutate({ workspace: tenant.slug });
        location.replace(firmPath(tenant.slug, '/'));
      } finally {
        void signedIn.close();
      }
    },
  });
  return (
    <div className="space-y-4">
      <p>You are signed in as {name}.</p>
      <FormError message={join.error && errorText(join.error)} />
      <Button
        variant="solid"
        className="h-10 w-full"
        disabled={join.isPending || join.isSuccess}
        onClick={() => join.mutate()}
      >
        {join.isPending || join.isSuccess ? 'Joining…' : 'Join'}
      </Button>
    </div>
  );
}
