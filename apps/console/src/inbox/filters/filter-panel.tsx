import { MAX_QUERY_LENGTH, ticketGroups, ticketPriorities } from '@firmdesk/contract';
import { useEffect, useRef } from 'react';
import { priorityLabels } from '../../tickets/properties/ticket-labels.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import type { InboxSearch } from '../search/inbox-search.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { dueLabels, groupLabels } from './filter-labels.ts';

type Choices = readonly (readonly [value: string, label: string])[];

/** Every filter of the list with its choices. */
export function FilterPanel({ onClose }: { onClose(): void }) {
  const directory = useSupportDirectory();
  const named = (list: { id: string | number; name: string }[] = []) =>
    list.map(({ id, name }) => [String(id), name] as const);
  const panel = useRef<HTMLFieldSetElement>(null);
  useEffect(() => panel.current?.querySelector('select')?.focus(), []);
  return (
    <fieldset
      ref={panel}
      id={FILTER_PANEL_ID}
      aria-label="Filters"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Not for the shortcut that goes back to the list.
        event.preventDefault();
        onClose();
      }}
      className="grid grid-cols-2 gap-x-2 gap-y-2.5 rounded-lg border border-line bg-raised p-3"
    >
      <Filter
        name="status"
        label="Status"
        choices={ticketGroups.map((group) => [group, groupLabels[group]])}
        unfiltered="all"
      />
      <Filter
        name="assignee"
        label="Assignee"
        choices={[
          ['anyone', 'Anyone'],
          ['me', 'Me or my teams'],
          ['none', 'Unassigned'],
          ...named(directory?.agents),
        ]}
        unfiltered="anyone"
      />
      <Filter
        name="team"
        label="Team"
        choices={[['any', 'Any team'], ['none', 'No team'], ...named(directory?.teams)]}
        unfiltered="any"
      />
      <Filter
        name="priority"
        label="Priority"
        choices={[
          ['all', 'Any priority'],
          ...ticketPriorities.map((priority) => [priority, priorityLabels[priority]] as const),
        ]}
        unfiltered="all"
      />
      <Filter
        name="tag"
        label="Tag"
        choices={[['all', 'Any tag'], ...named(directory?.tags)]}
        unfiltered="all"
      />
      <Filter
        name="has"
        label="Attachments"
        choices={[
          ['', 'With or without'],
          ['attachment', 'Has attachment'],
        ]}
        unfiltered=""
      />
      <Filter
        name="due"
        label="Due"
        choices={[['', 'Any time'], ...Object.entries(dueLabels)]}
        unfiltered=""
      />
      <TextFilter name="from" label="From trader" />
      <TextFilter name="after" label="Active since" type="date" />
      <TextFilter name="before" label="Active before" type="date" />
      <Filter
        name="snoozed"
        label="Snoozed"
        choices={[
          ['hidden', 'Only in searches'],
          ['only', 'Snoozed only'],
          ['all', 'With snoozed'],
        ]}
        unfiltered="hidden"
      />
      <div className="flex items-end justify-end">
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </fieldset>
  );
}

export const FILTER_PANEL_ID = 'ticket-filters';

/** @param props.unfiltered the value that means no filter */
function Filter({
  name,
  label,
  choices,
  unfiltered,
}: {
  name: Exclude<keyof InboxSearch, 'q' | 'sort' | TextName>;
  label: string;
  choices: Choices;
  unfiltered: string;
}) {
  const inbox = useInboxSearch();
  const value = inbox.search[name] ?? unfiltered;
  const isKnown = choices.some(([each]) => each === value);
  return (
    <SelectField
      label={label}
      className="min-w-0"
      value={value}
      onChange={({ target }) => {
        // Every choice is a value of the contract.
        const chosen = target.value as NonNullable<InboxSearch[typeof name]>;
        inbox.choose(inbox.with(name, target.value === unfiltered ? undefined : chosen));
      }}
    >
      {choices.map(([each, label]) => (
        <option key={each} value={each}>
          {label}
        </option>
      ))}
      {!isKnown && <option value={value}>{value}</option>}
    </SelectField>
  );
}

type TextName = 'from' | 'before' | 'after';

/** A filter with a text or a day. Applied when the field is left, or with Enter. */
function TextFilter({
  name,
  label,
  type = 'text',
}: {
  name: TextName;
  label: string;
  type?: 'text' | 'date';
}) {
  const inbox = useInboxSearch();
  const value = inbox.search[name] ?? '';
  const apply = (next: string) => {
    const chosen = next.trim();
    if (chosen !== value) inbox.choose(inbox.with(name, chosen === '' ? undefined : chosen));
  };
  return (
    <TextField
      // A filter that is removed elsewhere empties the field.
      key={value}
      label={label}
      type={type}
      className="min-w-0"
      maxLength={MAX_QUERY_LENGTH}
      defaultValue={value}
      onBlur={({ target }) => apply(target.value)}
      onKeyDown={(event) => event.key === 'Enter' && apply(event.currentTarget.value)}
    />
  );
}
