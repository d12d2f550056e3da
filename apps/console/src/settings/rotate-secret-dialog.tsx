import { useState } from 'react';
import { SelectField } from '../ui/fields/select-field.tsx';
import { SaveDialog } from '../ui/overlays/save-dialog.tsx';

/** Gives a key or an endpoint a new secret. The last one is valid for some more hours. */
export function RotateSecretDialog<Rotated>({
  rotate,
  onRotated,
  ...dialog
}: {
  title: string;
  description: string;
  rotate(overlapHours: number): Promise<Rotated>;
  onRotated(rotated: Rotated): void;
  onClose(): void;
}) {
  const [hours, setHours] = useState(24);
  return (
    <SaveDialog
      {...dialog}
      submitLabel="Rotate"
      busyLabel="Rotating…"
      save={() => rotate(hours)}
      onSaved={onRotated}
    >
      {() => (
        <SelectField
          label="The last secret ends"
          value={hours}
          choices={[
            [0, 'Now'],
            [24, 'After 24 hours'],
            [168, 'After 7 days'],
          ]}
          onValue={setHours}
        />
      )}
    </SaveDialog>
  );
}
