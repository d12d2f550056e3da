import type { TicketRule } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { macrosQuery } from '../../macros/macro-queries.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { OrderedItems, RowMenu } from '../../ui/overlays/row-menu.tsx';
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
  const [toDelete, setToDelete] = useState<TicketRule | null>(null);
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
        {rules.map((rule) => (
          <Row
            key={rule.id}
            rule={rule}
            rules={rules}
            onEdit={() => onEdit(rule)}
            onDelete={() => setToDelete(rule)}
          />
        ))}
      </ol>
      {toDelete && (
        <ConfirmDialog
          title="Delete this rule?"
          confirmLabel="Delete"
          onClose={() => setToDelete(null)}
          onConfirm={() => remove.mutate({ id: toDelete.id })}
        >
          “{toDelete.name}” is deleted. What it did to tickets stays. This can’t be undone.
        </ConfirmDialog>
      )}
    </>
  );
}

function Row({
  rule,
  rules,
  onEdit,
  onDelete,
}: {
  rule: TicketRule;
  rules: readonly TicketRule[];
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
      <RowMenu name={name}>
        <OrderedItems rows={rules} row={rule} onEdit={onEdit} onMove={move.mutate} onDelete={onDelete} />
      </RowMenu>
    </li>
  );
}
