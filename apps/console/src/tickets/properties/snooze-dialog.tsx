import { type FormEvent, useState } from 'react';
import { useTimeZone } from '../../session/account.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { formatMoment } from '../../ui/time/time.ts';
import { MomentField } from '../../ui/time/time-field.tsx';
import { parseLocal, snoozeTimes, toLocal } from './snooze-times.ts';

const choice =
  'flex min-h-9 w-full items-center justify-between gap-3 rounded-md px-3 py-1.5 text-left hover:bg-hover max-md:min-h-11';

/** Chooses until when a ticket or a conversation is snoozed: an offered time, another one, or without a time. */
export function SnoozeDialog({
  title,
  description,
  untimed,
  onSnooze,
  onClose,
}: {
  title: string;
  description: string;
  /** What ends a snooze without a time; there is none by default. */
  untimed?: string;
  onSnooze(until: Date | null): void;
  onClose(): void;
}) {
  const zone = useTimeZone();
  const [now] = useState(() => new Date());
  const times = snoozeTimes(now, zone);
  const [value, setValue] = useState(() => toLocal(times[1]!.at, zone));
  const at = parseLocal(value, zone);
  const isPast = at !== null && at <= now;
  const snooze = (until: Date | null) => {
    onClose();
    onSnooze(until);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (at && !isPast) snooze(at);
  };
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <ul className="-mx-3">
        {times.map((each, index) => (
          <li key={each.label}>
            <button
              type="button"
              className={choice}
              onClick={() => snooze(each.at)}
              {...(index === 0 && { 'data-initial-focus': true })}
            >
              {each.label}
              <span className="text-muted">{formatMoment(each.at, now, zone)}</span>
            </button>
          </li>
        ))}
        {untimed && (
          <li>
            <button type="button" className={choice} onClick={() => snooze(null)}>
              {untimed}
            </button>
          </li>
        )}
      </ul>
      <form onSubmit={submit} className="mt-3 flex items-end gap-2 border-t border-line pt-4">
        <MomentField
          label="Date"
          className="min-w-0 flex-1"
          zone={zone}
          error={isPast ? 'Choose a time in the future.' : undefined}
          min={toLocal(now, zone).slice(0, 10)}
          value={value}
          onMoment={setValue}
        />
        <Button type="submit" variant="solid" className="mb-6" disabled={!at || isPast}>
          Snooze
        </Button>
      </form>
    </Dialog>
  );
}
