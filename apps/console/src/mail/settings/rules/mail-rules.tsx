import { MAX_MAIL_RULES, type Mailbox, type MailRule } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { OrderedItems, RowMenu } from '../../../ui/overlays/row-menu.tsx';
import { ErrorState, LoadingRows } from '../../../ui/states.tsx';
import { tagsQuery } from '../../mail-queries.ts';
import { useLiveMail } from '../../use-live-mail.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { actionsText, conditionsText } from './rule-texts.ts';
import { newRule, type RuleValues, valuesOfRule } from './rule-values.ts';
import { rulesQuery, useDeleteRule, useMoveRule } from './use-rules.ts';

/** The rules for the mail that arrives in a mailbox: added, changed, ordered and deleted. */
export function MailRules({ mailbox }: { mailbox: Mailbox }) {
  const rules = useQuery(rulesQuery(mailbox.id));
  useLiveMail([mailbox]);
  // What was typed is kept while the page is open, also if the dialog is closed.
  const [typed, setTyped] = useState<Record<string, Partial<RuleValues>>>({});
  const [edited, setEdited] = useState<MailRule | 'new' | null>(null);
  const rule = edited === 'new' ? null : edited;
  const key = rule?.id ?? 'new';
  return (
    <section aria-labelledby="rules" className="space-y-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="rules" className="font-semibold">
          Rules
        </h2>
        <Button
          disabled={!rules.data || rules.data.length >= MAX_MAIL_RULES}
          onClick={() => setEdited('new')}
        >
          New rule
        </Button>
      </div>
      <p className="text-muted">
        They run in this order when a message arrives in the inbox, for all who use this mailbox.
      </p>
      {rules.isPending ? (
        <LoadingRows label="Loading the rules" rows={2} />
      ) : !rules.data ? (
        <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />
      ) : rules.data.length === 0 ? (
        <p className="rounded-md bg-hover px-3 py-2 text-muted">
          No rules yet. A rule tags, files, stars or forwards the messages that you describe.
        </p>
      ) : (
        <RuleList mailbox={mailbox.id} rules={rules.data} onEdit={setEdited} />
      )}
      {edited !== null && (
        <RuleDialog
          mailbox={mailbox}
          rule={rule}
          values={{ ...(rule ? valuesOfRule(rule) : newRule), ...typed[key] }}
          onChange={(fields) => setTyped((now) => ({ ...now, [key]: { ...now[key], ...fields } }))}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setTyped(({ [key]: _saved, ...others }) => others);
            setEdited(null);
          }}
        />
      )}
    </section>
  );
}

function RuleList({
  mailbox,
  rules,
  onEdit,
}: {
  mailbox: number;
  rules: readonly MailRule[];
  onEdit(rule: MailRule): void;
}) {
  const { data: tags = [] } = useQuery(tagsQuery());
  const remove = useDeleteRule(mailbox);
  const move = useMoveRule(mailbox);
  const [toDelete, setToDelete] = useState<MailRule | null>(null);
  return (
    <>
      <ol aria-label="Rules, in the order in which they run" className="divide-y divide-line">
        {rules.map((rule) => {
          const conditions = conditionsText(rule);
          return (
            <li key={rule.id} className="flex items-start gap-2 py-2">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block font-medium">{conditions}</span>
                <span className="block text-muted">{actionsText(rule, tags)}</span>
              </span>
              <RowMenu name={`the rule “${conditions}”`}>
                <OrderedItems
                  rows={rules}
                  row={rule}
                  onEdit={() => onEdit(rule)}
                  onMove={move.mutate}
                  onDelete={() => setToDelete(rule)}
                />
              </RowMenu>
            </li>
          );
        })}
      </ol>
      {toDelete && (
        <ConfirmDialog
          title="Delete this rule?"
          confirmLabel="Delete"
          onClose={() => setToDelete(null)}
          onConfirm={() => remove.mutate({ id: toDelete.id })}
        >
          It no longer runs for anybody who uses this mailbox. Messages stay as they are.
        </ConfirmDialog>
      )}
    </>
  );
}
