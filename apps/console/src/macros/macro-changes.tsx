import type { DraftMacros } from '@firmdesk/contract';
import { X } from 'lucide-react';
import { useSupportDirectory } from '../tickets/properties/use-support-directory.ts';
import { describeActions } from './describe-actions.ts';

/** Shows what is changed when the reply is sent, each with a button that leaves it out. */
export function MacroChanges({
  macros,
  onChange,
}: {
  macros: DraftMacros;
  onChange(macros: DraftMacros): void;
}) {
  const shown = describeActions(macros.actions, useSupportDirectory());
  if (shown.length === 0) return null;
  return (
    <fieldset aria-label="Changes with this reply" className="flex flex-wrap items-center gap-1.5 px-3 pb-2">
      <span className="text-xs text-muted">Changed when sent:</span>
      {shown.map(({ key, label, without }) => (
        <button
          key={key}
          type="button"
          aria-label={`Leave out: ${label}`}
          onClick={() => onChange({ ...macros, actions: without })}
          className="inline-flex min-h-6 items-center gap-1 rounded bg-selected px-1.5 text-xs font-medium text-accent hover:brightness-95 pointer-coarse:min-h-11"
        >
          {label}
          <X size={12} aria-hidden="true" />
        </button>
      ))}
    </fieldset>
  );
}
