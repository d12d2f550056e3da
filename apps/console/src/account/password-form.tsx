import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { keptPasskeysText, RemovePasskeys } from '../session/kept-passkeys.tsx';
import { toast } from '../shell/toast.ts';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { Section } from './section.tsx';

/** `hasPasskeys`: whether the form offers to remove them too. */
export function PasswordForm({ hasPasskeys }: { hasPasskeys: boolean }) {
  const { user } = useAccount();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [removesPasskeys, setRemovesPasskeys] = useState(false);
  const queries = useQueryClient();
  const change = useMutation(
    trpc.sessions.changePassword.mutationOptions({
      onSuccess({ signed_out, passkeys }) {
        setCurrent('');
        setNext('');
        setRemovesPasskeys(false);
        const devices =
          signed_out === 1
            ? 'One other device was signed out.'
            : `${signed_out} other devices were signed out.`;
        toast.success('Password changed', { description: `${devices} ${keptPasskeysText(passkeys)}`.trim() });
        void queries.invalidateQueries(trpc.signIn.pathFilter());
        void queries.invalidateQueries(trpc.sessions.list.pathFilter());
        void queries.invalidateQueries(trpc.devices.list.pathFilter());
      },
    }),
  );
  const submit = () => {
    change.mutate({ current_password: current, new_password: next, remove_passkeys: removesPasskeys });
  };
  return (
    <Section
      title="Password"
      anchor="password"
      description="Changing it signs out all other devices, phones included."
    >
      <Form isBusy={change.isPending} onSubmit={submit} className="max-w-sm space-y-4 p-4">
        {/* Password managers store the new password under this user name. */}
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          error={fieldError(change.error, 'current_password', 'This')}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 10 characters."
          value={next}
          error={fieldError(change.error, 'new_password', 'The new password')}
          onChange={(event) => setNext(event.target.value)}
        />
        {hasPasskeys && <RemovePasskeys checked={removesPasskeys} onChange={setRemovesPasskeys} />}
        <FormError message={formError(change.error, ['current_password', 'new_password'])} />
        <Button type="submit" variant="solid" disabled={current === '' || next === '' || change.isPending}>
          {change.isPending ? 'Changing…' : 'Change password'}
        </Button>
      </Form>
    </Section>
  );
}
