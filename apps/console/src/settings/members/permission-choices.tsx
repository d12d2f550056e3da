import { type Permission, permissions } from '@firmdesk/contract';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { permissionTexts, presets } from './permission-texts.ts';

/** The permissions in groups, each with what it allows, and the usual sets. */
export function PermissionChoices({
  held,
  isFixed,
  onChange,
}: {
  held: readonly Permission[];
  /** Whether the caller may not change a permission. */
  isFixed(permission: Permission): boolean;
  onChange(held: readonly Permission[]): void;
}) {
  return (
    <>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Presets</legend>
        {presets.map(({ name, permissions: preset }) => (
          <Button key={name} onClick={() => onChange(preset.filter((one) => !isFixed(one)))}>
            {name}
          </Button>
        ))}
      </fieldset>
      {[...Map.groupBy(permissions, (one) => permissionTexts[one].group)].map(([group, ofGroup]) => (
        <fieldset key={group} className="space-y-1 rounded-lg border border-line p-3">
          <legend className="px-1 font-medium">{group}</legend>
          {ofGroup.map((one) => (
            <Choice
              key={one}
              permission={one}
              isHeld={held.includes(one)}
              isDisabled={isFixed(one)}
              onChange={(isHeld) => onChange(isHeld ? [...held, one] : held.filter((each) => each !== one))}
            />
          ))}
        </fieldset>
      ))}
    </>
  );
}

function Choice({
  permission,
  isHeld,
  isDisabled,
  onChange,
}: {
  permission: Permission;
  isHeld: boolean;
  isDisabled: boolean;
  onChange(isHeld: boolean): void;
}) {
  const id = useId();
  const { label, allows } = permissionTexts[permission];
  return (
    <div className="flex items-start gap-2.5 pointer-coarse:min-h-11">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0"
        aria-describedby={`${id}-allows`}
        checked={isHeld}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-allows`} className="text-xs text-muted">
          {allows}
        </p>
      </div>
    </div>
  );
}
