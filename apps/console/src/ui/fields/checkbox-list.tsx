import type { ReactNode } from 'react';

/** Several values of which any number is chosen. */
export function CheckboxList<Value extends string>({
  legend,
  choices,
  chosen,
  error,
  empty,
  onChange,
}: {
  legend: string;
  choices: readonly { value: Value; label: ReactNode; isDisabled?: boolean }[];
  chosen: readonly Value[];
  error?: string | undefined;
  /** Shown in place of no choices. */
  empty?: string;
  onChange(chosen: readonly Value[]): void;
}) {
  return (
    <fieldset className="rounded-lg border border-line p-3">
      <legend className="px-1 font-medium">{legend}</legend>
      {empty && choices.length === 0 && <p className="text-muted">{empty}</p>}
      <div className="grid max-h-64 gap-x-4 overflow-y-auto sm:grid-cols-2">
        {choices.map(({ value, label, isDisabled = false }) => (
          <label key={value} className="inline-flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="size-4 shrink-0"
              disabled={isDisabled}
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            <span className="truncate">{label}</span>
          </label>
        ))}
      </div>
      {error && <p className="mt-1 text-danger">{error}</p>}
    </fieldset>
  );
}
