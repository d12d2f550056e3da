import type { Member, MemberDismissal } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { usePermission } from '../../session/account.ts';
import { toast } from '../../shell/toast.ts';
import { useAssignableAgents } from '../../tickets/properties/use-support-directory.ts';
import { named, SelectField } from '../../ui/fields/select-field.tsx';
import { SaveDialog } from '../../ui/overlays/save-dialog.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';

const NOBODY = '';

/** Dismisses a member, after it has shown what ends. */
export function DismissDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const preview = useQuery({
    ...trpc.firm.members.previewDismissal.queryOptions({ id: member.id }),
    // What was counted before may have changed.
    gcTime: 0,
  });
  const [assignee, setAssignee] = useState(NOBODY);
  const mayAssign = usePermission('manage_tickets');
  const others = useAssignableAgents().filter(({ id }) => id !== member.id);
  const hasTickets = (preview.data?.tickets ?? 0) > 0;
  return (
    <SaveDialog
      title={`Dismiss ${member.name}?`}
      description="The person loses access to this firm at once. Messages and tickets stay. You can readmit the person later."
      onClose={onClose}
      submitLabel="Dismiss"
      busyLabel="Dismissing…"
      isDisabled={!preview.data}
      save={() =>
        client.firm.members.dismiss.mutate({
          id: member.id,
          ...(hasTickets && mayAssign && { reassign_to: assignee === NOBODY ? null : assignee }),
        })
      }
      onSaved={async () => {
        toast.success(`${member.name} was dismissed`);
        await queryClient.invalidateQueries({ queryKey: trpc.firm.members.pathKey() });
        onClose();
      }}
    >
      {() => (
        <>
          {preview.data ? (
            <ul className="list-disc space-y-1 pl-5">
              {linesOf(preview.data).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          ) : preview.isError ? (
            <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
          ) : (
            <LoadingRows label="Loading what ends" rows={2} />
          )}
          {hasTickets && mayAssign && (
            <SelectField
              label="Give the open tickets to"
              value={assignee}
              choices={[[NOBODY, 'Nobody: they go back to the queue'], ...named(others)]}
              onValue={setAssignee}
            />
          )}
        </>
      )}
    </SaveDialog>
  );
}

function linesOf(ends: MemberDismissal): string[] {
  const count = (number: number, one: string, many: string) =>
    number === 0 ? [] : [number === 1 ? `1 ${one}` : `${number} ${many}`];
  const lines = [
    ...count(ends.sessions, 'session is signed out.', 'sessions are signed out.'),
    ...count(ends.api_keys, 'API key stops working.', 'API keys stop working.'),
    ...count(
      ends.tickets,
      'open ticket is assigned to this person.',
      'open tickets are assigned to this person.',
    ),
    ...count(
      ends.delayed_sends,
      'unsent reply is kept for the team.',
      'unsent replies are kept for the team.',
    ),
    ...count(ends.mailboxes, 'mailbox can no longer be read.', 'mailboxes can no longer be read.'),
    ...count(ends.calendars, 'own calendar is hidden.', 'own calendars are hidden.'),
    ...count(ends.teams, 'team is left.', 'teams are left.'),
  ];
  return lines.length > 0 ? lines : ['Nothing else ends: no session, key, ticket or mailbox.'];
}
