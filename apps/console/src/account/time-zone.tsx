import { useUnsavedInputs } from '../outbox/calls.ts';
import { outbox } from '../outbox/outbox.ts';
import { useTimeZone } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { NotSaved } from '../ui/overlays/not-saved.tsx';
import { currentZone, zoneName } from '../ui/time/time-zones.ts';
import { ZoneField } from '../ui/time/zone-field.tsx';
import { Section } from './section.tsx';

const browserZone = currentZone(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Sets the time zone of the account, in which the console shows all times. */
export function TimeZone() {
  const zone = useTimeZone();
  const unsaved = useUnsavedInputs<{ timezone: string }>('account.setTimezone').at(-1);
  const chosen = unsaved?.timezone ?? zone;
  const change = (timezone: string) =>
    outbox().add({ kind: 'call', procedure: 'account.setTimezone', input: { timezone } });
  return (
    <Section title="Time zone" anchor="time-zone" description="The console shows all times in it.">
      <div className="flex flex-wrap items-end gap-3 p-4">
        <ZoneField
          label="Time zone"
          isLabelHidden
          className="w-72 max-w-full"
          value={chosen}
          onChange={change}
        />
        {currentZone(chosen) !== browserZone && (
          <Button onClick={() => change(browserZone)}>Use this device’s: {zoneName(browserZone)}</Button>
        )}
        {unsaved && <NotSaved className="h-8" />}
      </div>
    </Section>
  );
}
