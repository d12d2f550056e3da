import { useUnsavedInputs } from '../outbox/calls.ts';
import { outbox } from '../outbox/outbox.ts';
import { useTimeZone } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { NotSaved } from '../ui/not-saved.tsx';
import { Section } from './section.tsx';

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Sets the time zone of the account, in which the console shows all times. */
export function TimeZone() {
  const zone = useTimeZone();
  const unsaved = useUnsavedInputs<{ timezone: string }>('account.setTimezone').at(-1);
  const chosen = unsaved?.timezone ?? zone;
  const change = (timezone: string) =>
    outbox().add({ kind: 'call', procedure: 'account.setTimezone', input: { timezone } });
  const zones = [...new Set(['UTC', zone, browserZone, ...Intl.supportedValuesOf('timeZone')])].sort();
  return (
    <Section title="Time zone" description="The console shows all times in it.">
      <div className="flex flex-wrap items-end gap-3 p-4">
        <SelectField
          label="Time zone"
          isLabelHidden
          className="w-72 max-w-full"
          value={chosen}
          onChange={({ target }) => change(target.value)}
        >
          {zones.map((each) => (
            <option key={each} value={each}>
              {each.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
        {chosen !== browserZone && (
          <Button onClick={() => change(browserZone)}>
            Use this device’s: {browserZone.replaceAll('_', ' ')}
          </Button>
        )}
        {unsaved && <NotSaved className="h-8" />}
      </div>
    </Section>
  );
}
