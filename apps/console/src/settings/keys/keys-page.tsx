import type { ApiKey } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { RotateSecretDialog } from '../rotate-secret-dialog.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeysTable } from './keys-table.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.firm.keys.pathKey() });

/** The API keys of the firm: created, rotated and revoked. */
export function KeysPage() {
  const keys = useQuery(trpc.firm.keys.list.queryOptions());
  const [open, setOpen] = useState<{ kind: 'create' } | { kind: 'rotate' | 'revoke'; key: ApiKey } | null>(
    null,
  );
  /** The secret of a key that was created or rotated, until it is confirmed. It is nowhere else. */
  const [secret, setSecret] = useState<string | null>(null);
  useLiveFirm('keys');
  const revoke = useMutation(
    trpc.firm.keys.revoke.mutationOptions({
      onSuccess: () => toast.success('API key revoked'),
      onError: (error) => reportError(error, 'Couldn’t revoke the key'),
      onSettled: refresh,
    }),
  );
  const close = () => setOpen(null);
  const show = (token: string) => {
    close();
    setSecret(token);
    void refresh();
  };
  return (
    <Page
      title="API keys"
      actions={
        <Button variant="solid" onClick={() => setOpen({ kind: 'create' })}>
          <Plus size={15} aria-hidden="true" />
          New key
        </Button>
      }
    >
      <div className="mx-auto max-w-4xl space-y-4 p-4">
        <p className="text-muted">
          Programs call the API with a key. It can do what its member can do, limited to its scopes.
        </p>
        {keys.data ? (
          <KeysTable
            keys={keys.data.data}
            onRotate={(key) => setOpen({ kind: 'rotate', key })}
            onRevoke={(key) => setOpen({ kind: 'revoke', key })}
          />
        ) : keys.isError ? (
          <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
        ) : (
          <LoadingRows label="Loading API keys" rows={3} />
        )}
      </div>
      {open?.kind === 'create' && <CreateKeyDialog onClose={close} onCreated={show} />}
      {open?.kind === 'rotate' && (
        <RotateSecretDialog
          title={`Rotate ${open.key.name ?? open.key.id}`}
          description="The key gets a new secret. Its scopes and its expiry stay."
          rotate={(overlap_hours) => client.firm.keys.rotate.mutate({ id: open.key.id, overlap_hours })}
          onRotated={({ token }) => show(token)}
          onClose={close}
        />
      )}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title="Revoke this key?"
          confirmLabel="Revoke"
          onClose={close}
          onConfirm={() => revoke.mutate({ id: open.key.id })}
        >
          “{open.key.name ?? open.key.id}” stops working at once. This can’t be undone.
        </ConfirmDialog>
      )}
      {secret !== null && <SecretDialog what="key" secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}
