import type { WebhookEndpoint } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { SecretDialog } from '../keys/secret-dialog.tsx';
import { RotateSecretDialog } from '../rotate-secret-dialog.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { Deliveries } from './deliveries.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { type EndpointAction, EndpointsTable } from './endpoints-table.tsx';

const route = getRouteApi('/firm/settings/settings/webhooks');
const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.firm.webhooks.pathKey() });

/** Where the firm's events are sent, and what was sent. */
export function WebhooksPage() {
  const endpoints = useQuery(trpc.firm.webhooks.list.queryOptions());
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<
    { kind: 'create' } | { kind: EndpointAction; endpoint: WebhookEndpoint } | null
  >(null);
  /** The secret of an endpoint that was created or rotated, until it is confirmed. It is nowhere else. */
  const [secret, setSecret] = useState<string | null>(null);
  useLiveFirm('webhooks');
  const options = {
    onError: (error: unknown) => reportError(error, 'Couldn’t change the endpoint'),
    onSettled: refresh,
  };
  const update = useMutation(trpc.firm.webhooks.update.mutationOptions(options));
  const remove = useMutation(
    trpc.firm.webhooks.delete.mutationOptions({
      ...options,
      onSuccess: () => toast.success('Endpoint deleted'),
    }),
  );
  const close = () => setOpen(null);
  const show = (shown: string | null) => {
    close();
    setSecret(shown);
    void refresh();
  };
  const act = (kind: EndpointAction, endpoint: WebhookEndpoint) => {
    if (kind === 'switch') update.mutate({ id: endpoint.id, enabled: endpoint.disabled !== null });
    else if (kind === 'deliveries') void navigate({ search: { endpoint: endpoint.id }, replace: true });
    else setOpen({ kind, endpoint });
  };
  return (
    <Page
      title="Webhooks"
      actions={
        <Button variant="solid" onClick={() => setOpen({ kind: 'create' })}>
          <Plus size={15} aria-hidden="true" />
          New endpoint
        </Button>
      }
    >
      <div className="mx-auto max-w-4xl space-y-4 p-4">
        <p className="text-muted">
          Other systems are told what happens here: each event is a signed POST request to their endpoint.
        </p>
        {endpoints.data ? (
          <>
            <EndpointsTable endpoints={endpoints.data.data} onAction={act} />
            {endpoints.data.data.length > 0 && <Deliveries endpoints={endpoints.data.data} />}
          </>
        ) : endpoints.isError ? (
          <ErrorState error={endpoints.error} onRetry={() => void endpoints.refetch()} />
        ) : (
          <LoadingRows label="Loading endpoints" rows={3} />
        )}
      </div>
      {(open?.kind === 'create' || open?.kind === 'edit') && (
        <EndpointDialog
          endpoint={open.kind === 'edit' ? open.endpoint : null}
          onClose={close}
          onSaved={show}
        />
      )}
      {open?.kind === 'rotate' && (
        <RotateSecretDialog
          title="Rotate the secret"
          description="Events are signed with both secrets until the last one ends."
          rotate={(overlap_hours) =>
            client.firm.webhooks.rotate.mutate({ id: open.endpoint.id, overlap_hours })
          }
          onRotated={({ secret: shown }) => show(shown)}
          onClose={close}
        />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title="Delete this endpoint?"
          confirmLabel="Delete"
          onClose={close}
          onConfirm={() => remove.mutate({ id: open.endpoint.id })}
        >
          “{open.endpoint.url}” gets no more events, also none that wait. This can’t be undone.
        </ConfirmDialog>
      )}
      {secret !== null && <SecretDialog what="secret" secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}
