import { type ComponentProps, type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { classNames } from '../class-names.ts';
import { TextField } from './field.tsx';

export interface FieldSuggestion {
  value: string;
  label: string;
  hint?: string;
}

/** A text field that offers values for what is typed. Arrow keys choose, Enter takes, Escape closes the list. */
export function SuggestField({
  suggestions,
  onValue,
  onOpenChange,
  ...field
}: ComponentProps<typeof TextField> & {
  suggestions: readonly FieldSuggestion[];
  onValue(value: string): void;
  /** Tells a dialog whether Escape closes the list first. */
  onOpenChange(isOpen: boolean): void;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const shown = isOpen ? suggestions : [];
  const hasList = shown.length > 0;
  const tellOpen = useEffectEvent(onOpenChange);
  useEffect(() => tellOpen(hasList), [hasList]);
  const open = (next: boolean) => {
    setOpen(next);
    setActive(0);
  };
  const take = (value: string) => {
    onValue(value);
    open(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (shown.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((active + step + shown.length) % shown.length);
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) take(shown[active]!.value);
    else if (event.key === 'Escape') open(false);
    else return;
    event.preventDefault();
  };
  return (
    <div className="relative">
      <TextField
        {...field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={hasList}
        aria-controls={hasList ? `${id}-list` : undefined}
        aria-activedescendant={hasList ? `${id}-${active}` : undefined}
        onChange={(event) => {
          onValue(event.target.value);
          open(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => open(false)}
      />
      {hasList && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={field.label}
          className="absolute top-full right-0 left-0 z-40 mt-1 max-h-64 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
        >
          {shown.map(({ value, label, hint }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
            <div
              key={value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              // Keeps the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(value)}
              className={classNames(
                'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 py-1 pointer-coarse:min-h-11',
                index === active && 'bg-selected',
              )}
            >
              <span className="shrink-0">{label}</span>
              {hint && <span className="min-w-0 truncate text-xs text-muted">{hint}</span>}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
