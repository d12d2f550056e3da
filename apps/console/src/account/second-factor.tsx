import type { SignInSettings } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { queryClient, trpc } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { formError } from '../ui/fields/field-errors.ts';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { FormDialog } from '../ui/overlays/form-dialog.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { Section } from './section.tsx';

const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.signIn.pathKey() });

/** The authenticator app of the account: set up, with new recovery codes, and removed. */
export function SecondFactor({ factor }: { factor: SignInSettings['second_factor'] }) {
  const [isRemoving, setRemoving] = useState(false);
  const [app, setApp] = useState<{ secret: string; url: string } | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const start = useMutation(
    trpc.signIn.startSecondFactor.mutationOptions({
      onSuccess: setApp,
      onError: (error) => reportError(error, 'Couldn’t start'),
    }),
  );
  const renew = useMutation(
    trpc.signIn.renewRecoveryCodes.mutationOptions({
      onSuccess: (renewed) => setCodes(renewed.codes),
      onError: (error) => reportError(error, 'Couldn’t make new codes'),
      onSettled: refresh,
    }),
  );
  const remove = useMutation(
    trpc.signIn.disableSecondFactor.mutationOptions({
      onSuccess: () => toast.success('Authenticator app removed'),
      onError: (error) => reportError(error, 'Couldn’t remove it'),
      onSettled: refresh,
    }),
  );
  return (
    <Section
      title="Authenticator app"
      anchor="second-factor"
      description="After your password, signing in asks for a code of the app."
      actions={
        factor ? (
          <div className="flex gap-2">
            <Button disabled={renew.isPending} onClick={() => renew.mutate()}>
              New recovery codes
            </Button>
            <Button variant="danger" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </div>
        ) : (
          <Button variant="solid" disabled={start.isPending} onClick={() => start.mutate()}>
            Set up
          </Button>
        )
      }
    >
      <p className="p-4">
        {factor ? (
          <>
            On since <Timestamp at={factor.created_at} /> · {factor.recovery_codes_left} recovery codes left
          </>
        ) : (
          'Not set up.'
        )}
      </p>
      {app && (
        <SetUpDialog
          app={app}
          onClose={() => setApp(null)}
          onEnabled={(made) => {
            setApp(null);
            setCodes(made);
            void refresh();
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
      <ConfirmDialog
        title="Remove the authenticator app?"
        confirmLabel="Remove"
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate()}
      >
        Your password alone signs you in again. The recovery codes stop working.
      </ConfirmDialog>
    </Section>
  );
}

function SetUpDialog({
  app: { secret, url },
  onClose,
  onEnabled,
}: {
  app: { secret: string; url: string };
  onClose(): void;
  onEnabled(codes: readonly string[]): void;
}) {
  const [code, setCode] = useState('');
  const enable = useMutation(
    trpc.signIn.enableSecondFactor.mutationOptions({ onSuccess: ({ codes }) => onEnabled(codes) }),
  );
  return (
    <FormDialog
      title="Set up an authenticator app"
      description="Scan the picture with the app, then type the code that it shows."
      isKeptOpen
      onClose={onClose}
      problem={formError(enable.error, [])}
      submitLabel="Turn on"
      isBusy={enable.isPending}
      isDisabled={code === ''}
      onSubmit={() => enable.mutate({ code })}
    >
      <QrCode text={url} />
      <p className="text-muted">
        Or type this key: <code className="break-all text-text select-all">{secret}</code>
      </p>
      <TextField
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        data-initial-focus
        maxLength={40}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
    </FormDialog>
  );
}

function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text);
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label="QR code of the key"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast.success('Copied'),
      () => toast.error('Couldn’t copy: select the codes and copy them yourself'),
    );
  return (
    <Dialog
      title="Recovery codes"
      description="Each signs you in once when you don’t have the app. They can’t be shown again."
      isKeptOpen
      onClose={onClose}
    >
      <ul
        aria-label="Recovery codes"
        className="grid gap-1 rounded-md border border-line bg-surface p-3 font-mono text-sm select-all sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button variant="solid" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
