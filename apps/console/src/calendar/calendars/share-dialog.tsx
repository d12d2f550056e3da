import type { Calendar, ShareLevel } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormError } from '../../ui/fields/field.tsx';
import { formError } from '../../ui/fields/field-errors.ts';
import { labelled, SelectField } from '../../ui/fields/select-field.tsx';
import { SuggestField } from '../../ui/fields/suggest-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { shareLevelLabels } from './share-levels.ts';

/** Shares a calendar with colleagues, changes what they may do, and ends shares. Each choice is saved at once. */
export function ShareDialog({ calendar, onClose }: { calendar: Calendar; onClose(): void }) {
  const details = useQuery(trpc.calendar.calendarDetails.queryOptions({ calendar_id: calendar.id }));
  const [isListOpen, setListOpen] = useState(false);
  const share = useMutation(
    trpc.calendar.share.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.calendar.pathFilter()),
    }),
  );
  const set = (user_id: string, level: ShareLevel | null) =>
    share.mutate({ calendar_id: calendar.id, user_id, level });
  const shares = details.data?.shares ?? [];
  return (
    <Dialog
      title={`Share ${calendar.name}`}
      description="Colleagues of this firm. Each choice is saved at once, and seen in their windows."
      onClose={onClose}
      onEscapeKeyDown={(event) => isListOpen && event.preventDefault()}
    >
      <div className="space-y-4">
        <AddPerson
          shared={shares.map(({ user }) => user.id)}
          onOpenChange={setListOpen}
          onAdd={(id) => set(id, 'read')}
        />
        {details.isPending ? (
          <LoadingRows label="Loading shares" rows={2} />
        ) : details.isError ? (
          <ErrorState error={details.error} onRetry={() => void details.refetch()} />
        ) : shares.length === 0 ? (
          <p className="text-muted">Not shared with anybody.</p>
        ) : (
          <ul aria-label="Shared with" className="divide-y divide-line rounded-lg border border-line">
            {shares.map(({ user, level }) => (
              <li key={user.id} className="flex items-center gap-2 px-3 py-2 max-sm:flex-wrap">
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{user.name}</span>
                  <span className="block truncate text-xs text-muted">{user.email}</span>
                </span>
                <SelectField
                  label={`What ${user.name} may do`}
                  isLabelHidden
                  className="w-40"
                  value={level}
                  choices={labelled(shareLevelLabels)}
                  onValue={(value) => set(user.id, value)}
                />
                <IconButton
                  icon={X}
                  label={`End the share with ${user.name}`}
                  onClick={() => set(user.id, null)}
                />
              </li>
            ))}
          </ul>
        )}
        <FormError message={formError(share.error, [])} />
        <div className="flex justify-end">
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Finds a colleague by a part of the name or the address. */
function AddPerson({
  shared,
  onAdd,
  onOpenChange,
}: {
  shared: readonly string[];
  onAdd(id: string): void;
  onOpenChange(isOpen: boolean): void;
}) {
  const [text, setText] = useState('');
  const q = text.trim();
  const { data = [] } = useQuery(
    trpc.calendar.people.queryOptions({ q }, { enabled: q !== '', staleTime: 60_000 }),
  );
  const people = q === '' ? [] : data.filter(({ id }) => !shared.includes(id));
  return (
    <SuggestField
      label="Add a colleague"
      placeholder="Name or address"
      autoComplete="off"
      data-initial-focus
      value={text}
      suggestions={people.map(({ id, name, email }) => ({ value: id, label: name, hint: email }))}
      onOpenChange={onOpenChange}
      onValue={(value) => {
        const isPerson = people.some(({ id }) => id === value);
        setText(isPerson ? '' : value);
        if (isPerson) onAdd(value);
      }}
    />
  );
}
