import type { CalendarEvent, EventExtent } from '@firmdesk/contract';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ExtentField } from './extent-field.tsx';
import { useDeleteEvent } from './use-event-changes.ts';

/** Deletes an event after a confirmation. For a series, asks which occurrences. */
export function DeleteEvent({ event, onDeleted }: { event: CalendarEvent; onDeleted(): void }) {
  const [isAsking, setAsking] = useState(false);
  const [extent, setExtent] = useState<EventExtent>('this');
  const remove = useDeleteEvent();
  const { id, occurrence_start, is_recurring, title } = event;
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog
        title={`Delete “${title}”?`}
        description="This can’t be undone."
        isOpen={isAsking}
        onOpenChange={setAsking}
      >
        {is_recurring && <ExtentField legend="Apply to" value={extent} onChange={setExtent} />}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setAsking(false)}>Cancel</Button>
          <Button
            variant="danger"
            onClick={() => {
              remove.mutate({ id, occurrence_start, extent: is_recurring ? extent : 'all' });
              onDeleted();
            }}
          >
            Delete
          </Button>
        </div>
      </Dialog>
    </>
  );
}
