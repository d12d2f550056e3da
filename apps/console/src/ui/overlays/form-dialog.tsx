import { Button } from '../button.tsx';
import { FormError } from '../fields/field.tsx';
import { Form } from '../form.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

/** A dialog with a form: its fields, the error that belongs to none of them, and the buttons. */
export function FormDialog({
  problem = null,
  submitLabel,
  busyLabel = submitLabel,
  isBusy,
  isDisabled = false,
  onSubmit,
  onCancel,
  children,
  ...dialog
}: DialogProps & {
  problem?: string | null;
  submitLabel: string;
  /** The submit button's label while the form is sent. */
  busyLabel?: string;
  isBusy: boolean;
  /** Whether the form cannot be sent as it is. */
  isDisabled?: boolean;
  onSubmit(): void;
  /** Closes the dialog and drops what was typed. By default it is closed as with Esc. */
  onCancel?: () => void;
}) {
  return (
    <Dialog {...dialog}>
      <Form isBusy={isBusy} onSubmit={() => isDisabled || onSubmit()} className="space-y-4">
        {children}
        <FormError message={problem} />
        {/* Always in view, above what is scrolled below it. */}
        <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex justify-end gap-2 border-t border-line bg-raised px-5 py-3">
          <Button onClick={onCancel ?? dialog.onClose}>Cancel</Button>
          <Button type="submit" variant="solid" disabled={isBusy || isDisabled}>
            {isBusy ? busyLabel : submitLabel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
