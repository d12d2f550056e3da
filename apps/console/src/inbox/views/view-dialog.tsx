import { MAX_VIEW_NAME, type TicketView } from '@firmdesk/contract';
import { useState } from 'react';
import { useAccount } from '../../session/account.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { useSavedViews } from './saved-views.ts';
import { builtInViewsOf } from './views.ts';

/** Asks for the name of a view, and whom it is shared with. */
export function ViewDialog({
  title,
  view,
  onSave,
  onClose,
}: {
  title: string;
  view: Pick<TicketView, 'name' | 'team'> & { id?: string };
  /** Returns whether the view was saved. The dialog stays open if not. */
  onSave(view: Pick<TicketView, 'name' | 'team'>): Promise<boolean>;
  onClose(): void;
}) {
  const [text, setText] = useState(view.name);
  const [team, setTeam] = useState(view.team);
  const [isSaving, setSaving] = useState(false);
  const { user } = useAccount();
  const teams = (useSupportDirectory()?.teams ?? []).filter(({ members }) => members.includes(user.id));
  const others = useSavedViews().filter((other) => other.id !== view.id && other.team === team);
  const name = text.trim();
  const isTaken = [...builtInViewsOf(user.id), ...others].some((other) => other.name === name);
  const submit = async () => {
    setSaving(true);
    if (await onSave({ name, team })) onClose();
    else setSaving(false);
  };
  return (
    <FormDialog
      title={title}
      description="Saves filters and sort order. To share a view with anybody in the firm, copy the page’s URL."
      onClose={onClose}
      submitLabel="Save"
      isBusy={isSaving}
      isDisabled={name === '' || isTaken}
      onSubmit={() => void submit()}
    >
      <TextField
        label="Name"
        value={text}
        required
        maxLength={MAX_VIEW_NAME}
        error={isTaken ? 'A view with this name already exists.' : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <SelectField
        label="Visible to"
        value={team}
        choices={[[null, 'Only me'], ...teams.map(({ id, name }) => [id, `Team ${name}`] as const)]}
        onValue={setTeam}
      />
    </FormDialog>
  );
}
