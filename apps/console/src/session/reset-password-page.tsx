import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { keptPasskeysText, RemovePasskeys } from './kept-passkeys.tsx';
import { SignedOutPage } from './signed-out-page.tsx';

/** Sends a mail with a link, or sets a new password by the link of the mail, which is after the hash of the page. */
export function ResetPasswordPage() {
  usePageTitle('Reset password');
  const [link] = useState(() => location.hash.slice(1));
  return <SignedOutPage>{link === '' ? <RequestForm /> : <PasswordForm link={link} />}</SignedOutPage>;
}

const toSignIn = (
  <p>
    <Link to="/sign-in" className="underline">
      Back to sign-in
    </Link>
  </p>
);

function RequestForm() {
  const [email, setEmail] = useState('');
  const request = useMutation(trpc.sessions.requestPasswordReset.mutationOptions());
  if (request.isSuccess)
    return (
      <>
        <p role="status">
          If {email} has an account, a mail with a link is on its way. The link works for an hour.
        </p>
        {toSignIn}
      </>
    );
  const submit = () => {
    request.mutate({ email });
  };
  return (
    <Form isBusy={request.isPending} onSubmit={submit} className="space-y-4">
      <p className="text-muted">We send you a link with which you choose a new password.</p>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        autoFocus
        value={email}
        error={fieldError(request.error, 'email', 'The address')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <FormError message={formError(request.error, ['email'])} />
      <Button type="submit" variant="solid" className="h-10 w-full" disabled={request.isPending}>
        {request.isPending ? 'Sending…' : 'Send the link'}
      </Button>
      {toSignIn}
    </Form>
  );
}

function PasswordForm({ link }: { link: string }) {
  const [password, setPassword] = useState('');
  const [removesPasskeys, setRemovesPasskeys] = useState(false);
  const reset = useMutation(trpc.sessions.resetPassword.mutationOptions());
  if (reset.isSuccess)
    return (
      <>
        <p role="status">
          Your new password is set, and all your devices were signed out.{' '}
          {keptPasskeysText(reset.data.passkeys)}
        </p>
        {toSignIn}
      </>
    );
  const submit = () => {
    reset.mutate({ link, new_password: password, remove_passkeys: removesPasskeys });
  };
  return (
    <Form isBusy={reset.isPending} onSubmit={submit} className="space-y-4">
      <p className="text-muted">Choose a new password. It signs out all your devices.</p>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus
        hint="At least 10 characters."
        value={password}
        error={fieldError(reset.error, 'new_password', 'The new password')}
        onChange={(event) => setPassword(event.target.value)}
      />
      <RemovePasskeys checked={removesPasskeys} onChange={setRemovesPasskeys} />
      <FormError message={formError(reset.error, ['new_password'])} />
      <Button type="submit" variant="solid" className="h-10 w-full" disabled={reset.isPending}>
        {reset.isPending ? 'Saving…' : 'Set the password'}
      </Button>
      {toSignIn}
    </Form>
  );
}
