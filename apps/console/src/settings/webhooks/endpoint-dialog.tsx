import { type WebhookEndpoint, type WebhookEventType, webhookEventTypes } from '@firmdesk/contract';
import { useState } from 'react';
import { client } from '../../api.ts';
import { CheckboxList } from '../../ui/fields/checkbox-list.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';
import { webhookEventLabels } from './webhook-texts.ts';

/** Adds an endpoint, or changes one. */
export function EndpointDialog({
  endpoint,
  onClose,
  onSaved,
}: {
  endpoint: WebhookEndpoint | null;
  onClose(): void;
  /** `secret` of a new endpoint. */
  onSaved(secret: string | null): void;
}) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<readonly WebhookEventType[]>(endpoint?.events ?? []);
  const input = { url, description, events: [...events] };
  // A new address needs more rights than another description.
  const changed = { description, events: [...events], ...(url !== endpoint?.url && { url }) };
  const save = async () => {
    if (!endpoint) return (await client.firm.webhooks.create.mutate(input)).secret;
    await client.firm.webhooks.update.mutate({ id: endpoint.id, ...changed });
    return null;
  };
  return (
    <SaveDialog
      title={endpoint ? 'Edit endpoint' : 'New endpoint'}
      description="Firmdesk sends each event there as a signed POST request, and tries again for three days."
      onClose={onClose}
      fields={['url', 'description', 'events']}
      submitLabel={endpoint ? 'Save' : 'Add'}
      busyLabel="Saving…"
      save={save}
      onSaved={onSaved}
    >
      {(error) => (
        <>
          <TextField
            label="URL"
            type="url"
            required
            autoComplete="off"
            data-initial-focus
            placeholder="https://example.com/hooks"
            value={url}
            error={error('url', 'The URL')}
            onChange={({ target }) => setUrl(target.value)}
          />
          <TextField
            label="Description"
            autoComplete="off"
            maxLength={200}
            value={description}
            error={error('description', 'The description')}
            onChange={({ target }) => setDescription(target.value)}
          />
          <CheckboxList
            legend="Events"
            choices={webhookEventTypes.map((value) => ({ value, label: webhookEventLabels[value] }))}
            chosen={events}
            error={
              error('events', 'The events') &&
              (events.length === 0 ? 'Choose at least one event.' : error('events', 'The events'))
            }
            onChange={setEvents}
          />
        </>
      )}
    </SaveDialog>
  );
}
