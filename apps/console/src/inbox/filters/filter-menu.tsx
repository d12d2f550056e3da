import {
  type FoundTrader,
  foldSearchText,
  MAX_CHOICES,
  MAX_QUERY_LENGTH,
  writeChoice,
} from '@firmdesk/contract';
import { ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { dayOf } from '../../calendar/views/days.ts';
import { wallClockMs } from '../../calendar/wall-clock.ts';
import { useAccount } from '../../session/account.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { useFoundTraders } from '../../traders/use-found-traders.ts';
import { Button } from '../../ui/button.tsx';
import { Picker, PickerGroup, PickerItem } from '../../ui/overlays/picker.tsx';
import { dayNamed } from '../search/search-operators.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import {
  choiceOf,
  type FilterField,
  type FilterName,
  type FilterValue,
  filterFields,
  toggled,
} from './filter-fields.ts';

/** How many values of all fields a text finds. */
const MAX_FOUND = 8;

/**
 * Filters the list: a field, and then its values, both found by typing. The list changes at once. Backspace in an empty text goes back to
 * the fields.
 */
export function FilterMenu({ field: first, onClose }: { field: FilterName | null; onClose(): void }) {
  const inbox = useInboxSearch();
  const fields = filterFields(useSupportDirectory()).filter(({ kind }) => kind !== 'link');
  const [name, setName] = useState(first);
  const [text, setText] = useState('');
  const hasChosen = useRef(false);
  const field = fields.find((each) => each.name === name);
  const { values, isExcluded } = field
    ? choiceOf(field, inbox.search[field.name])
    : { values: [], isExcluded: false };
  /** Kept also while no value is chosen. */
  const [excludes, setExcludes] = useState(isExcluded);

  const apply = (to: FilterName, value: string | undefined) => {
    // Every value is one of the contract, or a text. Back removes all that was chosen in the menu.
    inbox.choose(inbox.with(to, value as never), { replace: hasChosen.current });
    hasChosen.current = true;
  };
  const choose = (from: FilterField, chosen: string, isLeft: boolean) => {
    const now = choiceOf(from, inbox.search[from.name]);
    const isExcluding = from === field ? excludes : now.isExcluded;
    if (from.kind === 'several') {
      const next = toggled(from, now.values, chosen);
      if (next.length <= MAX_CHOICES)
        apply(from.name, writeChoice({ values: next, isExcluded: isExcluding }));
    } else apply(from.name, now.values.includes(chosen) && !isLeft ? undefined : chosen);
    setText('');
    if (isLeft || from.kind !== 'several') onClose();
  };
  const enter = (next: FilterField) => {
    setName(next.name);
    setExcludes(choiceOf(next, inbox.search[next.name]).isExcluded);
    setText('');
  };
  const exclude = (next: boolean) => {
    setExcludes(next);
    if (field && values.length > 0) apply(field.name, writeChoice({ values, isExcluded: next }));
  };

  return (
    <Picker
      title={field ? `Filter by ${field.label.toLowerCase()}` : 'Filter tickets'}
      placeholder={field ? placeholders[field.kind] : 'Filter by…'}
      text={text}
      onText={(next) => setText(next.slice(0, MAX_QUERY_LENGTH))}
      onBack={field ? () => setName(null) : undefined}
      empty={field ? emptyTexts[field.kind] : 'No filter has this name.'}
      footer={
        <div className="flex items-center gap-2 border-t border-line px-3 py-2">
          {field?.kind === 'several' && (
            <fieldset className="flex gap-1">
              <legend className="sr-only">Tickets whose {field.label.toLowerCase()}</legend>
              {[false, true].map((each) => (
                <Button
                  key={String(each)}
                  variant={excludes === each ? 'plain' : 'quiet'}
                  aria-pressed={excludes === each}
                  className="h-7 px-2 text-xs"
                  onClick={() => exclude(each)}
                >
                  {each ? 'is not' : 'is'}
                </Button>
              ))}
            </fieldset>
          )}
          <span className="flex-1" />
          {field && (
            <Button variant="quiet" className="h-7 px-2 text-xs" onClick={() => setName(null)}>
              All filters
            </Button>
          )}
          <Button className="h-7 px-2 text-xs" onClick={onClose}>
            Done
          </Button>
        </div>
      }
      onClose={onClose}
    >
      {field ? (
        <Values field={field} chosen={values} text={text} onChoose={(value) => choose(field, value, false)} />
      ) : (
        <Fields
          fields={fields}
          text={text}
          onEnter={enter}
          onChoose={(from, value) => choose(from, value, true)}
        />
      )}
    </Picker>
  );
}

const placeholders = {
  several: 'Search values…',
  one: 'Search values…',
  day: 'A day, such as 2026-03-31, yesterday or 7d',
  text: 'A name or an address',
  link: '',
};

const emptyTexts = {
  several: 'The firm has no such value.',
  one: 'There is no such value.',
  day: 'Write a day as 2026-03-31, or a number of days ago as 7d.',
  text: 'Write a part of the trader’s name or address.',
  link: 'A report opens the tickets of a figure.',
};

const hasText = (label: string, text: string) => foldSearchText(label).includes(foldSearchText(text.trim()));

/** The fields, and the values of all fields that have the text. */
function Fields({
  fields,
  text,
  onEnter,
  onChoose,
}: {
  fields: readonly FilterField[];
  text: string;
  onEnter(field: FilterField): void;
  onChoose(field: FilterField, value: string): void;
}) {
  const found =
    text.trim() === ''
      ? []
      : fields
          .flatMap((field) => field.values.map((each) => ({ field, ...each })))
          .filter(({ label }) => hasText(label, text))
          .slice(0, MAX_FOUND);
  return (
    <>
      {fields
        .filter(({ label }) => hasText(label, text))
        .map((field) => (
          <PickerItem key={field.name} id={field.name} onChoose={() => onEnter(field)}>
            <span className="flex-1">{field.label}</span>
            <ChevronRight size={14} aria-hidden="true" className="text-muted" />
          </PickerItem>
        ))}
      {found.length > 0 && (
        <PickerGroup heading="Values">
          {found.map(({ field, value, label, color }) => (
            <PickerItem
              key={`${field.name} ${value}`}
              id={`${field.name} ${value}`}
              onChoose={() => onChoose(field, value)}
            >
              <Label label={label} color={color} />
              <span className="text-xs text-muted">{field.label}</span>
            </PickerItem>
          ))}
        </PickerGroup>
      )}
    </>
  );
}

/** The values of a field: those that it has, and for days and texts what is typed. */
function Values({
  field,
  chosen,
  text,
  onChoose,
}: {
  field: FilterField;
  chosen: readonly string[];
  text: string;
  onChoose(value: string): void;
}) {
  const { timezone } = useAccount().user;
  const today = dayOf(wallClockMs(Date.now(), timezone));
  const people = useFoundTraders(text, field.kind === 'text');
  return valuesFor(field, text.trim(), today, people).map(({ value, label, color }) => (
    <PickerItem key={value} id={value} isChosen={chosen.includes(value)} onChoose={() => onChoose(value)}>
      <Label label={label} color={color} />
    </PickerItem>
  ));
}

function valuesFor(
  field: FilterField,
  text: string,
  today: string,
  people: readonly FoundTrader[],
): readonly FilterValue[] {
  if (field.kind === 'text')
    return text === ''
      ? []
      : [
          { value: text, label: `Matches “${text}”` },
          ...people.map(({ name, email }) => ({ value: email, label: `${name}, ${email}` })),
        ];
  if (field.kind !== 'day') return field.values.filter(({ label }) => hasText(label, text));
  const named: [name: string, label: string][] =
    text === ''
      ? [
          ['today', 'Today'],
          ['yesterday', 'Yesterday'],
          ['7d', '7 days ago'],
          ['30d', '30 days ago'],
        ]
      : [[text.toLowerCase(), text]];
  return named.flatMap(([name, label]) => {
    const day = dayNamed(name, today);
    return day === undefined ? [] : [{ value: day, label: day === label ? day : `${label} (${day})` }];
  });
}

function Label({ label, color }: { label: string; color?: string | undefined }) {
  return (
    <>
      {color && <span aria-hidden="true" className="tag-dot" style={{ backgroundColor: color }} />}
      <span className="min-w-0 flex-1 truncate">{label}</span>
    </>
  );
}
