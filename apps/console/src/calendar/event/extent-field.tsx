import { type EventExtent, eventExtents } from '@firmdesk/contract';

const labels: Record<EventExtent, string> = {
  this: 'This event',
  this_and_following: 'This and all following',
  all: 'All events',
};

/** Chooses the occurrences of a series that an action applies to. */
export function ExtentField({
  legend,
  value,
  onChange,
}: {
  legend: string;
  value: EventExtent;
  onChange(extent: EventExtent): void;
}) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-5">
        {eventExtents.map((extent) => (
          <label key={extent} className="flex min-h-8 items-center gap-2">
            <input
              type="radio"
              name="extent"
              className="size-4 accent-accent-solid"
              checked={extent === value}
              onChange={() => onChange(extent)}
            />
            {labels[extent]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
