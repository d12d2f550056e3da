import type { FirmTag } from '@firmdesk/contract';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { named, SelectField } from '../../ui/fields/select-field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';

/** Replaces a tag by another wherever it is used. */
export function MergeTagDialog({
  tag,
  others,
  onClose,
}: {
  tag: FirmTag;
  others: readonly FirmTag[];
  onClose(): void;
}) {
  const [into, setInto] = useState<number | null>(null);
  return (
    <SaveDialog
      title={`Merge ${tag.name}`}
      description={`${tag.tickets} tickets, ${tag.conversations} conversations and ${tag.events} events get the other tag. This can’t be undone.`}
      onClose={onClose}
      submitLabel="Merge"
      busyLabel="Merging…"
      isDisabled={into === null}
      save={() => client.firm.tags.merge.mutate({ id: tag.id, into: into! })}
      onSaved={async ({ name }) => {
        toast.success(`${tag.name} was merged into ${name}`);
        await queryClient.invalidateQueries({ queryKey: trpc.firm.tags.pathKey() });
        onClose();
      }}
    >
      {() => (
        <SelectField
          label="Into"
          value={into}
          choices={[[null, 'Choose a tag'], ...named(others)]}
          onValue={setInto}
        />
      )}
    </SaveDialog>
  );
}
