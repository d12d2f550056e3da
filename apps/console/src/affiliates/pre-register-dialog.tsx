import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { instantOf } from '../calendar/wall-clock.ts';
import { useTimeZone } from '../session/account.ts';
import { toast } from '../shell/toast.ts';
import { TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { FormDialog } from '../ui/overlays/form-dialog.tsx';
import { DayField } from '../ui/time/day-field.tsx';
import { useKept } from '../ui/use-kept.ts';

const empty = { email: '', referral_code: '', referral_url: '', expires_on: '' };

/** Reserves a referral code for an email. Closing the dialog keeps the typed values until the code is reserved. */
export function PreRegisterDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [typed, setTyped] = useKept<typeof empty>('pre-registration');
  const values = typed ?? empty;
  const queries = useQueryClient();
  const zone = useTimeZone();
  const preRegister = useMutation(
    trpc.affiliates.admin.preRegister.mutationOptions({
      onSuccess({ email, referral_code }) {
        setTyped(() => null);
        onClose();
        toast.success(`${referral_code} is reserved for ${email}`);
      },
      onSettled: () => queries.invalidateQueries(trpc.affiliates.admin.list.pathFilter()),
    }),
  );
  const submit = () => {
    const { email, referral_code, referral_url, expires_on } = values;
    preRegister.mutate({
      email,
      referral_code,
      referral_url,
      // The end of that day in the account's time zone, in which it is shown.
      ...(expires_on && {
        expires_at: new Date(instantOf(`${expires_on}T23:59:59`, zone)).toISOString(),
      }),
    });
  };
  const type = (change: Partial<typeof empty>) => setTyped((now) => ({ ...empty, ...now, ...change }));
  const field = (name: keyof typeof values, path: string, label: string) => ({
    label,
    value: values[name],
    error: fieldError(preRegister.error, path, label),
    onChange: ({ target: { value } }: { target: HTMLInputElement }) => type({ [name]: value }),
  });
  return (
    <FormDialog
      title="New pre-registration"
      description="The referral code is reserved for the person who signs up with this email."
      isOpen={isOpen}
      onClose={onClose}
      isKeptOpen={values !== empty}
      problem={formError(preRegister.error, ['email', 'referral_code', 'referral_url', 'expires_at'])}
      submitLabel="Create"
      busyLabel="Creating…"
      isBusy={preRegister.isPending}
      onSubmit={submit}
    >
      <TextField
        type="email"
        required
        autoComplete="off"
        data-initial-focus
        {...field('email', 'email', 'Email')}
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
      <DayField
        label="Expires on"
        hint="Leave empty for no expiry."
        value={values.expires_on}
        error={fieldError(preRegister.error, 'expires_at', 'Expires on')}
        onDay={(expires_on) => type({ expires_on })}
      />
    </FormDialog>
  );
}
