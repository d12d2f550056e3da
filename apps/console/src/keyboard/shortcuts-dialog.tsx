import { useStoredValue } from '../stored-value.ts';
import { Switch } from '../ui/fields/switch.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Keys } from './keys.tsx';
import { singleKeysOn, useListedShortcuts } from './shortcuts.ts';

/** Lists the active shortcuts, with the switch for single-key shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const isOn = useStoredValue(singleKeysOn);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Switch
        label="Single-key shortcuts"
        hint="When off, only Esc and shortcuts with Ctrl or ⌘ work."
        isOn={isOn}
        onChange={(next) => singleKeysOn.set(next)}
      />
      <ShortcutList />
    </Dialog>
  );
}

function ShortcutList() {
  const groups = Map.groupBy(useListedShortcuts(), ({ group }) => group);
  return (
    <div className="mt-4 gap-x-8 sm:columns-2">
      {[...groups].map(([group, list]) => (
        <section key={group} aria-label={group} className="mb-5 break-inside-avoid">
          <h3 className="mb-1 font-medium text-muted">{group}</h3>
          <ul>
            {list.map(({ keys, label }) => (
              <li key={keys} className="flex items-center justify-between gap-4 py-1">
                <span>{label}</span>
                <Keys keys={keys} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
