import type { WebhookDelivery } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { deliveryStateLabels, webhookEventLabels } from './webhook-texts.ts';

/** Shows what is sent with an event and what was answered, and sends it again. */
export function DeliveryDialog({
  delivery,
  onClose,
  onReplayed,
}: {
  delivery: WebhookDelivery;
  onClose(): void;
  onReplayed(): void;
}) {
  const shown = useQuery(trpc.firm.webhooks.delivery.queryOptions({ id: delivery.id }));
  const replay = useMutation(
    trpc.firm.webhooks.replay.mutationOptions({
      onSuccess() {
        toast.success('The event is sent again');
        onReplayed();
      },
      onError: (error) => reportError(error, 'Couldn’t send the event again'),
    }),
  );
  const { state, attempts, status, detail } = shown.data ?? delivery;
  return (
    <Dialog
      title={webhookEventLabels[delivery.type]}
      description={`${deliveryStateLabels[state]}, attempts: ${attempts}${status === null ? '' : `, last answer: ${status}`}`}
      onClose={onClose}
    >
      {detail && (
        <pre className="mb-3 max-h-32 overflow-auto rounded-md border border-line bg-raised p-2 text-xs whitespace-pre-wrap break-all">
          {detail}
        </pre>
      )}
      {shown.data ? (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it
          tabIndex={0}
          aria-label="Body"
          className="max-h-80 overflow-auto rounded-md border border-line bg-raised p-2 text-xs"
        >
          <pre>{JSON.stringify(JSON.parse(shown.data.body), null, 2)}</pre>
        </section>
      ) : shown.isError ? (
        <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />
      ) : (
        <LoadingRows label="Loading the body" rows={3} />
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        <Button
          variant="solid"
          disabled={replay.isPending}
          onClick={() => replay.mutate({ id: delivery.id })}
        >
          Send again
        </Button>
      </div>
    </Dialog>
  );
}
