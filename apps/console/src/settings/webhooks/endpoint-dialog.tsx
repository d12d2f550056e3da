import { type WebhookEndpoint, type WebhookEventType, webhookEventTypes } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { TextField } from '../../ui/field.tsx';
import { fieldError, formError } from '../../ui/field-errors.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { webhookEventLabels } from './webhook-texts.ts';

/** Adds an endpoint, or changes one. */
export function EndpointDialog({
  endpoint,
  onClose,
  onCreated,
  onSaved,
}: {
  endpoint: WebhookEndpoint | null;
  onClose(): void;
  onCreated(secret: string): void;
  onSaved(): void;
}) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<readonly WebhookEventType[]>(endpoint?.events ?? []);
  const create = useMutation(
    trpc.firm.webhooks.create.mutationOptions({ onSuccess: ({ secret }) => onCreated(secret) }),
  );
  const update = useMutation(trpc.firm.webhooks.update.mutationOptions({ onSuccess: onSaved }));
  const error = create.error ?? update.error;
  const input = { url, description, events: [...events] };
  // A new address needs more rights than another description.
  const changed = { description, events: [...events], ...(url !== endpoint?.url && { url }) };
  const problem =
    events.length === 0 && error ? 'Choose at least one event.' : fieldError(error, 'events', 'The events');
  return (
    <FormDialog
      title={endpoint ? 'Edit endpoint' : 'New endpoint'}
      description="Firmdesk sends each event there as a signed POST request, and tries again for three days."
      isKeptOpen
      onClose={onClose}
      problem={formError(error, ['url', 'description', 'events'])}
      submitLabel={endpoint ? 'Save' : 'Add'}
      busyLabel="Saving…"
      isBusy={create.isPending || update.isPending}
      onSubmit={() => (endpoint ? update.mutate({ id: endpoint.id, ...changed }) : create.mutate(input))}
    >
      <TextField
        label="URL"
        type="url"
        required
        autoComplete="off"
        data-initial-focus
        placeholder="https://example.com/hooks"
        value={url}
        error={fieldError(error, 'url', 'The URL')}
        onChange={({ target }) => setUrl(target.value)}
      />
      <TextField
        label="Description"
        autoComplete="off"
        maxLength={200}
        value={description}
        error={fieldError(error, 'description', 'The description')}
        onChange={({ target }) => setDescription(target.value)}
      />
      <fieldset className="rounded-lg border border-line p-3">
        <legend className="px-1 font-medium">Events</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {webhookEventTypes.map((type) => (
            <label key={type} className="inline-flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4"
                checked={events.includes(type)}
                onChange={({ target }) =>
                  setEvents(target.checked ? [...events, type] : events.filter((one) => one !== type))
                }
              />
              {webhookEventLabels[type]}
            </label>
          ))}
        </div>
        {problem && <p className="mt-1 text-danger">{problem}</p>}
      </fieldset>
    </FormDialog>
  );
}
