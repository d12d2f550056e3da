import type { PersonErasure } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { tableLabel } from './data-texts.ts';
import { pollUnfinished, RequestsTable } from './requests-table.tsx';
import { useMayExport } from './use-may-export.ts';

interface Person {
  id: string;
  name: string;
  /** Set for somebody of the team. */
  permissions?: unknown;
}

const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.firm.data.person.requests.pathKey() });

/** What the firm stores about a person: exports it, or erases the person after a preview. */
export function PersonDataDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const [isErasing, setErasing] = useState(false);
  const requests = useQuery(
    trpc.firm.data.person.requests.queryOptions({ person: person.id }, { refetchInterval: pollUnfinished }),
  );
  const start = useMutation(trpc.firm.data.person.export.mutationOptions({ onSettled: refresh }));
  const { user } = useAccount();
  const isColleague = person.permissions !== undefined && person.id !== user.id;
  const mayExport = useMayExport(isColleague ? 'colleague' : 'trader');
  if (isErasing) return <EraseDialog person={person} onClose={onClose} />;
  return (
    <Dialog title={`Data of ${person.name}`} onClose={onClose}>
      <div className="space-y-4">
        <p>
          An export is a file with the account, what this firm stores about the person, and the conversations
          of the person’s tickets without internal notes. That of a colleague contains private calendars and
          drafts, and needs every permission. It can be downloaded for 7 days.
        </p>
        <FormError message={formError(start.error, [])} />
        <div className="flex flex-wrap gap-2">
          {mayExport && (
            <Button
              variant="solid"
              data-initial-focus
              disabled={start.isPending}
              onClick={() => start.mutate({ id: person.id })}
            >
              Export
            </Button>
          )}
          <Button variant="danger" onClick={() => setErasing(true)}>
            Erase…
          </Button>
        </div>
        {requests.data && requests.data.data.length > 0 && (
          <RequestsTable caption={`Exports of ${person.name}`} requests={requests.data.data} />
        )}
        {requests.isError && !requests.data && (
          <ErrorState error={requests.error} onRetry={() => void requests.refetch()} />
        )}
      </div>
    </Dialog>
  );
}

function EraseDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const [email, setEmail] = useState('');
  const preview = useQuery({
    ...trpc.firm.data.person.previewErasure.queryOptions({ id: person.id }),
    // What was counted before may have changed.
    gcTime: 0,
  });
  const erase = useMutation(
    trpc.firm.data.person.erase.mutationOptions({
      async onSuccess() {
        toast.success('The erasure has begun. Settings › Members shows its report');
        await Promise.all([
          refresh(),
          queryClient.invalidateQueries({ queryKey: trpc.firm.members.pathKey() }),
        ]);
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={`Erase ${person.name}?`}
      description="The person is signed out of this firm and forgotten. This can’t be undone."
      isKeptOpen
      onClose={onClose}
      problem={formError(erase.error, ['email'])}
      submitLabel="Erase"
      busyLabel="Erasing…"
      isBusy={erase.isPending}
      isDisabled={email.trim().toLowerCase() !== preview.data?.email.toLowerCase()}
      onSubmit={() => erase.mutate({ id: person.id, email: email.trim() })}
    >
      {preview.data ? (
        <>
          <Changes preview={preview.data} />
          <TextField
            label={`Type ${preview.data.email} to erase the person`}
            required
            autoComplete="off"
            data-initial-focus
            value={email}
            error={fieldError(erase.error, 'email', 'The address')}
            onChange={({ target }) => setEmail(target.value)}
          />
        </>
      ) : preview.isError ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <LoadingRows label="Counting what is erased" rows={4} />
      )}
    </FormDialog>
  );
}

const effects = {
  deleted: 'Deleted',
  changed: 'Changed: the name, the address and references are removed',
  kept: 'Kept, as of “Former user”. Texts are not searched for names',
} as const;

function Changes({ preview: { changes } }: { preview: PersonErasure }) {
  return (
    <div className="space-y-3">
      <p className="text-muted">
        The name, the address and the sign-in of the account are removed. Exports of the person are deleted;
        exports of the whole firm end after 7 days.
      </p>
      {Object.entries(effects).map(([effect, label]) => {
        const lines = changes.filter((change) => change.effect === effect);
        if (lines.length === 0) return null;
        return (
          <section key={effect} aria-label={label}>
            <h3 className="font-medium">{label}</h3>
            <ul className="list-disc pl-5">
              {lines.map(({ table, rows }) => (
                <li key={table}>
                  {tableLabel(table)}:{' '}
                  {rows === null ? (
                    <span className="text-muted">found while it runs</span>
                  ) : (
                    rows.toLocaleString('en')
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
