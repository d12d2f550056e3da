import type { MailRules } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../../../api.ts';
import { reportError } from '../../../shell/report-error.ts';
import { toast } from '../../../shell/toast.ts';
import { moved } from '../../../ui/overlays/row-menu.tsx';

const options = (mailbox: number) => trpc.mail.rules.list.queryOptions({ address_id: mailbox });

/** The rules of a mailbox, in their order. */
export const rulesQuery = (mailbox: number) => ({
  ...options(mailbox),
  select: ({ rules }: MailRules) => rules,
});

/** Deletes a rule. */
export function useDeleteRule(mailbox: number) {
  const show = useShowRules(mailbox);
  return useMutation({
    mutationFn: ({ id }: { id: string }) => client.mail.rules.delete.mutate({ address_id: mailbox, id }),
    onSuccess(rules) {
      show(rules);
      toast.success('Rule deleted');
    },
    onError: (error) => reportError(error, 'Couldn’t delete the rule'),
  });
}

/** Moves a rule. It is shown there at once. */
export function useMoveRule(mailbox: number) {
  const queries = useQueryClient();
  const show = useShowRules(mailbox);
  const { queryKey } = options(mailbox);
  return useMutation({
    mutationFn: ({ id, before }: { id: string; before: string | null }) =>
      client.mail.rules.move.mutate({ address_id: mailbox, id, before }),
    async onMutate({ id, before }) {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (now) => now && { ...now, rules: moved(now.rules, id, before) });
    },
    onSuccess: show,
    onError(error) {
      reportError(error, 'Couldn’t move the rule');
      void queries.invalidateQueries({ queryKey });
    },
  });
}

/** Returns what shows the rules that a change has answered. */
export function useShowRules(mailbox: number): (rules: MailRules) => void {
  const queries = useQueryClient();
  return (rules) => void queries.setQueryData(options(mailbox).queryKey, rules);
}
