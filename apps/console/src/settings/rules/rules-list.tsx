import type { TicketRule } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { macrosQuery } from '../../macros/macro-queries.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Switch } from '../../ui/switch.tsx';
import { describeAction, describeConditions, describeTrigger } from './rule-texts.ts';

const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.tickets.rules.pathKey() });

/** The rules in the order in which they run. */
export function RulesList({
  rules,
  onEdit,
}: {
  rules: readonly TicketRule[];
  onEdit(rule: TicketRule): void;
}) {
  // Kept while the dialog closes, so that its text does not change.
  const [toDelete, setToDelete] = useState<TicketRule | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutation(
    trpc.tickets.rules.delete.mutationOptions({
      onSuccess: () => toast.success('Rule deleted'),
      onError: (error) => reportError(error, 'Couldn’t delete the rule'),
      onSettled: refresh,
    }),
  );
  return (
    <>
      <ol aria-label="Rules" className="divide-y divide-line rounded-lg border border-line bg-surface">
        {rules.map((rule, index) => (
          <Row
            key={rule.id}
            rule={rule}
            above={rules[index - 1]}
            hasBelow={index < rules.length - 1}
            afterBelow={rules[index + 2]}
            onEdit={() => onEdit(rule)}
            onDelete={() => {
              setToDelete(rule);
              setConfirming(true);
            }}
          />
        ))}
      </ol>
      <ConfirmDialog
        title="Delete this rule?"
        confirmLabel="Delete"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => toDelete && remove.mutate({ id: toDelete.id })}
      >
        “{toDelete?.name}” is deleted. What it did to tickets stays. This can’t be undone.
      </ConfirmDialog>
    </>
  );
}

function Row({
  rule,
  above,
  hasBelow,
  afterBelow,
  onEdit,
  onDelete,
}: {
  rule: TicketRule;
  above: TicketRule | undefined;
  hasBelow: boolean;
  /** The rule below the next one. */
  afterBelow: TicketRule | undefined;
  onEdit(): void;
  onDelete(): void;
}) {
  const directory = useSupportDirectory();
  const macros = useQuery(macrosQuery('all')).data ?? [];
  const move = useMutation(
    trpc.tickets.rules.move.mutationOptions({
      onSuccess: (saved) => queryClient.setQueryData(trpc.tickets.rules.list.queryKey(), saved),
      onError: (error) => reportError(error, 'Couldn’t move the rule'),
    }),
  );
  const update = useMutation(
    trpc.tickets.rules.update.mutationOptions({
      onError: (error) => reportError(error, 'Couldn’t change the rule'),
      onSettled: refresh,
    }),
  );
  const { id, name, enabled, trigger, conditions, actions, stops, paused_because } = rule;
  const held = describeConditions(conditions, directory);
  const done = actions.map((action) => describeAction(action, directory, { macros }));
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted wrap-anywhere">
          {describeTrigger(trigger)}
          {held.length > 0 && ` · ${held.join(' · ')}`} → {done.join(', ')}
          {stops && ' · then stop'}
        </p>
        {paused_because !== null && (
          <p className="text-warning">Switched itself off: {paused_because} Edit it, then switch it on.</p>
        )}
      </div>
      <Switch
        label={enabled ? 'On' : 'Off'}
        isOn={enabled}
        isDisabled={update.isPending}
        onChange={(on) => update.mutate({ id, name, enabled: on, trigger, conditions, actions, stops })}
      />
      <Menu
        label={`Actions of ${name}`}
        align="end"
        trigger={
          <IconButton
            data-list-control="rule"
            label={`Actions of ${name}`}
            className="pointer-coarse:size-11"
          >
            <MoreHorizontal size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem onSelect={onEdit}>Edit</MenuItem>
        <MenuItem isDisabled={!above} onSelect={() => above && move.mutate({ id, before: above.id })}>
          Move up
        </MenuItem>
        <MenuItem isDisabled={!hasBelow} onSelect={() => move.mutate({ id, before: afterBelow?.id ?? null })}>
          Move down
        </MenuItem>
        <MenuSeparator />
        <MenuItem isDanger onSelect={onDelete}>
          Delete
        </MenuItem>
      </Menu>
    </li>
  );
}
