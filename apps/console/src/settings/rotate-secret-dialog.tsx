import { useState } from 'react';
import { Choice, SelectField } from '../ui/fields/select-field.tsx';
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
  const [hours, setHours] = useState('24');
  return (
    <SaveDialog
      {...dialog}
      submitLabel="Rotate"
      busyLabel="Rotating…"
      save={() => rotate(Number(hours))}
      onSaved={onRotated}
    >
      {() => (
        <SelectField label="The last secret ends" value={hours} onValue={setHours}>
          <Choice value="0">Now</Choice>
          <Choice value="24">After 24 hours</Choice>
          <Choice value="168">After 7 days</Choice>
        </SelectField>
      )}
    </SaveDialog>
  );
}
