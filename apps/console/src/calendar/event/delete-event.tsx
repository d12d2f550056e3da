import type { CalendarEvent, EventExtent } from '@firmdesk/contract';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { deleteEvent } from './event-changes.ts';
import { ExtentField } from './extent-field.tsx';

/** Deletes an event after a confirmation. For a series, asks which occurrences. */
export function DeleteEvent({ event, onDeleted }: { event: CalendarEvent; onDeleted(): void }) {
  const [isAsking, setAsking] = useState(false);
  const [extent, setExtent] = useState<EventExtent>('this');
  const { is_recurring, title } = event;
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog
        title={`Delete “${title}”?`}
        description="You can undo this for 8 seconds."
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        {is_recurring && <ExtentField legend="Apply to" value={extent} onChange={setExtent} />}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setAsking(false)}>Cancel</Button>
          <Button
            variant="danger"
            onClick={() => {
              deleteEvent(event, is_recurring ? extent : 'all');
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
