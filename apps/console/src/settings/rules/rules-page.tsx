import type { TicketRule } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { newRule, type RuleValues, valuesOfRule } from './rule-values.ts';
import { RulesList } from './rules-list.tsx';

/** The firm’s rules for tickets: created, compared with tickets, changed, ordered, switched and deleted. */
export function RulesPage() {
  useLiveFirm('rules');
  const rules = useQuery(trpc.tickets.rules.list.queryOptions());
  // What was typed is kept while the page is open, also if a dialog is closed.
  const [typed, setTyped] = useState<Record<string, Partial<RuleValues>>>({});
  const [edited, setEdited] = useState<TicketRule | 'new' | null>(null);
  const key = edited === null || edited === 'new' ? 'new' : edited.id;
  return (
    <Page
      title="Rules"
      actions={
        <Button variant="solid" onClick={() => setEdited('new')}>
          <Plus size={15} aria-hidden="true" />
          New rule
        </Button>
      }
    >
      <div className="mx-auto max-w-3xl space-y-4 p-4">
        <p className="text-muted">
          Rules run from top to bottom for what happens to tickets. Each ticket’s history names the rule that
          changed it.
        </p>
        {rules.data ? (
          rules.data.rules.length === 0 ? (
            <EmptyState title="No rules yet">
              A rule does your routine: when a refund is asked for, move it to payments and set it to high.
            </EmptyState>
          ) : (
            <RulesList rules={rules.data.rules} onEdit={setEdited} />
          )
        ) : rules.isError ? (
          <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />
        ) : (
          <LoadingRows label="Loading the rules" rows={4} />
        )}
      </div>
      {edited !== null && (
        <RuleDialog
          key={key}
          rule={edited === 'new' ? null : edited}
          values={{ ...(edited === 'new' ? newRule : valuesOfRule(edited)), ...typed[key] }}
          onChange={(fields) => setTyped((now) => ({ ...now, [key]: { ...now[key], ...fields } }))}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setTyped(({ [key]: _saved, ...others }) => others);
            setEdited(null);
            void queryClient.invalidateQueries({ queryKey: trpc.tickets.rules.pathKey() });
          }}
        />
      )}
    </Page>
  );
}
