import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { trpc } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { emailError, fieldError, formError } from '../ui/field-errors.ts';

const empty = { email: '', referral_code: '', referral_url: '', expires_on: '' };

/** Reserves a referral code for an email. Closing the dialog keeps the typed values until the code is reserved. */
export function PreRegisterDialog({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}) {
  const [values, setValues] = useState(empty);
  const queries = useQueryClient();
  const preRegister = useMutation(
    trpc.affiliates.admin.preRegister.mutationOptions({
      onSuccess({ email, referral_code }) {
        setValues(empty);
        onOpenChange(false);
        toast.success(`${referral_code} is reserved for ${email}`);
      },
      onSettled: () => queries.invalidateQueries(trpc.affiliates.admin.list.pathFilter()),
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { email, referral_code, referral_url, expires_on } = values;
    preRegister.mutate({
      email,
      referral_code,
      referral_url,
      // The end of that day in the browser's time zone.
      ...(expires_on && { expires_at: new Date(`${expires_on}T23:59:59.999`).toISOString() }),
    });
  };
  const field = (name: keyof typeof values, path: string, label: string) => ({
    label,
    value: values[name],
    error: fieldError(preRegister.error, path, label),
    onChange: ({ target }: { target: HTMLInputElement }) => setValues({ ...values, [name]: target.value }),
  });
  const formMessage = formError(preRegister.error, ['email', 'referral_code', 'referral_url', 'expires_at']);
  return (
    <Dialog
      title="New pre-registration"
      description="The referral code is reserved for the person who signs up with this email."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isKeptOpen={values !== empty}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <TextField
          type="email"
          required
          autoComplete="off"
          data-initial-focus
          {...field('email', 'email', 'Email')}
          error={emailError(preRegister.error, 'email', 'Email')}
        />
        <TextField
          required
          autoComplete="off"
          autoCapitalize="none"
          hint="Letters, digits, _ and -"
          {...field('referral_code', 'referral_code', 'Referral code')}
        />
        <TextField
          type="url"
          required
          placeholder="https://"
          {...field('referral_url', 'referral_url', 'Referral URL')}
        />
        <TextField
          type="date"
          max="9999-12-31"
          hint="Leave empty for no expiry."
          {...field('expires_on', 'expires_at', 'Expires on')}
        />
        {formMessage && (
          <p role="alert" className="rounded-md bg-danger-surface px-3 py-2 text-danger">
            {formMessage}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" variant="solid" disabled={preRegister.isPending}>
            {preRegister.isPending ? 'Creating…' : 'Create'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
