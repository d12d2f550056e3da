import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { client, queryClient, trpc } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { fieldError, formError } from '../ui/fields/field-errors.ts';
import { FormDialog } from '../ui/overlays/form-dialog.tsx';
import { canUsePasskeys } from './can-use-passkeys.ts';
import { currentPath, firm } from './firm.ts';

let asking: Promise<boolean> | null = null;

/** Asks the person to prove who they are. Returns whether they did. Calls that ask at the same time share one dialog. */
export function confirmSession(): Promise<boolean> {
  asking ??= showDialog().finally(() => {
    asking = null;
  });
  return asking;
}

/** The dialog has a root of its own: any page can need it, above any other dialog. */
async function showDialog(): Promise<boolean> {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  try {
    return await new Promise<boolean>((resolve) =>
      root.render(
        <QueryClientProvider client={queryClient}>
          <ConfirmSessionDialog onDone={resolve} />
        </QueryClientProvider>,
      ),
    );
  } finally {
    root.unmount();
    container.remove();
  }
}

function ConfirmSessionDialog({ onDone }: { onDone(isConfirmed: boolean): void }) {
  const settings = useQuery(trpc.signIn.get.queryOptions());
  const [text, setText] = useState('');
  const confirm = useMutation({
    mutationFn: (proof: Parameters<typeof client.sessions.confirm.mutate>[0]) =>
      client.sessions.confirm.mutate(proof),
    onSuccess: () => onDone(true),
  });
  const askPasskey = useMutation({
    async mutationFn() {
      const passkeys = await import('./passkey.ts');
      return passkeys.askPasskey();
    },
    onSuccess: (passkey) => passkey && confirm.mutate({ passkey }),
  });
  const useProvider = useMutation({
    async mutationFn() {
      const { signInAtProvider } = await import('./provider-sign-in.ts');
      await signInAtProvider({ workspace: firm!, is_fresh: true }, currentPath());
    },
  });
  const needsCode = settings.data?.second_factor != null;
  const name = needsCode ? 'code' : 'password';
  const hasPasskey = canUsePasskeys && (settings.data?.passkeys.length ?? 0) > 0;
  const error = confirm.error ?? askPasskey.error ?? useProvider.error ?? settings.error;
  return (
    <FormDialog
      title="Confirm that it’s you"
      description="You are about to change who can sign in."
      isKeptOpen
      onClose={() => onDone(false)}
      problem={formError(error, [name])}
      submitLabel="Confirm"
      busyLabel="Confirming…"
      isBusy={confirm.isPending}
      isDisabled={!settings.data || text === ''}
      onSubmit={() => confirm.mutate(needsCode ? { code: text } : { password: text })}
    >
      {settings.data && (needsCode || settings.data.has_password) && (
        <TextField
          key={name}
          label={needsCode ? 'Code of your authenticator app, or a recovery code' : 'Password'}
          type={needsCode ? 'text' : 'password'}
          autoComplete={needsCode ? 'one-time-code' : 'current-password'}
          autoFocus
          value={text}
          error={fieldError(error, name, needsCode ? 'The code' : 'This')}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {settings.data?.has_provider && (
        <>
          <Button disabled={useProvider.isPending} onClick={() => useProvider.mutate()}>
            Sign in again with single sign-on
          </Button>
          <p className="text-muted">It confirms changes of the firm, not of how your own account signs in.</p>
        </>
      )}
      {hasPasskey && <Button onClick={() => askPasskey.mutate()}>Use a passkey</Button>}
    </FormDialog>
  );
}
