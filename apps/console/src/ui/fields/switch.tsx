import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';
import { classNames } from '../class-names.ts';

export function Switch({
  label,
  isLabelHidden = false,
  hint,
  isOn,
  isDisabled = false,
  onChange,
}: {
  label: string;
  isLabelHidden?: boolean;
  hint?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange(isOn: boolean): void;
}) {
  const id = useId();
  return (
    <div className={classNames('flex justify-between gap-4', hint ? 'items-start' : 'items-center')}>
      <div>
        <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-medium'}>
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-muted">
            {hint}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={isOn}
        disabled={isDisabled}
        onCheckedChange={onChange}
        {...(hint && { 'aria-describedby': `${id}-hint` })}
        className="h-6 w-10 shrink-0 rounded-full bg-line-strong p-0.5 data-[state=checked]:bg-accent-solid disabled:opacity-50"
      >
        <Radix.Thumb className="block size-5 rounded-full bg-white transition-transform data-[state=checked]:translate-x-4" />
      </Radix.Root>
    </div>
  );
}
