import { ChevronsUpDown } from 'lucide-react';
import { useId, useState } from 'react';
import { rankByName } from '../../shell/rank-commands.ts';
import { Picker, PickerItem } from '../overlays/picker.tsx';
import { LOCALE } from './time.ts';
import { currentZone, shownZone, timeZones, zoneName, zoneSearchText } from './time-zones.ts';

/** Chooses a time zone, which is found by its name. */
export function ZoneField({
  label,
  isLabelHidden = false,
  className,
  value,
  disabled = false,
  onChange,
}: {
  label: string;
  isLabelHidden?: boolean;
  className?: string;
  value: string;
  disabled?: boolean;
  onChange(zone: string): void;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={className}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
      </label>
      <button
        id={id}
        type="button"
        aria-haspopup="dialog"
        aria-label={`${label}: ${zoneName(value)}`}
        disabled={disabled}
        onClick={() => setOpen(true)}
        className="flex h-9 w-full items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-left disabled:opacity-50"
      >
        <span className="truncate">{zoneName(value)}</span>
        <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
      </button>
      {isOpen && (
        <ZonePicker
          label={label}
          value={currentZone(value)}
          onClose={() => setOpen(false)}
          onChoose={(zone) => {
            setOpen(false);
            onChange(zone);
          }}
        />
      )}
    </div>
  );
}

function ZonePicker({
  label,
  value,
  onChoose,
  onClose,
}: {
  label: string;
  value: string;
  onChoose(zone: string): void;
  onClose(): void;
}) {
  const [text, setText] = useState('');
  const [highlighted, setHighlighted] = useState(value);
  const zones = rankByName(
    timeZones(value).map((zone) => ({ zone, name: zoneSearchText(zone) })),
    text,
  );
  return (
    <Picker
      title={label}
      placeholder="City or region"
      text={text}
      onText={setText}
      highlighted={{ value: highlighted, onValueChange: setHighlighted }}
      empty="No time zone has this name"
      onClose={onClose}
    >
      {zones.map(({ zone }) => (
        <PickerItem key={zone} id={zone} onChoose={() => onChoose(zone)}>
          <span className="min-w-0 flex-1 truncate">{zoneName(zone)}</span>
          <span className="shrink-0 text-xs text-muted tabular-nums">{offsetOf(zone)}</span>
        </PickerItem>
      ))}
    </Picker>
  );
}

const offsets = new Map<string, string>();

/** `GMT+5:30`, as it is now. */
function offsetOf(timeZone: string): string {
  const known = offsets.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(LOCALE, {
    timeZone: shownZone(timeZone),
    timeZoneName: 'shortOffset',
  });
  const offset = format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';
  offsets.set(timeZone, offset);
  return offset;
}
