import { asFirmdeskError } from '@firmdesk/client';
import type { Session, SignInMethod } from '@firmdesk/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, trpc } from '../api.ts';
import { signOut } from '../session/sign-out.ts';
import { SettingsTable } from '../settings/settings-table.tsx';
import { reportError } from '../shell/report-error.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { Section } from './section.tsx';

const methods: Record<SignInMethod, string> = {
  password: 'with the password',
  code: 'with the password and a code',
  passkey: 'with a passkey',
  provider: 'with single sign-on',
};

/** Lists the sessions of the account. Each can be signed out. */
export function Sessions() {
  const sessions = useQuery(trpc.sessions.list.queryOptions());
  const end = useEndSessions();
  const [isAsking, setAsking] = useState(false);
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <Section
      title="Sessions"
      description="Where your account is signed in."
      actions={
        others.length > 0 && (
          <Button
            data-list-control="sessions"
            variant="danger"
            disabled={end.isPending}
            onClick={() => setAsking(true)}
          >
            Sign out other sessions
          </Button>
        )
      }
    >
      {sessions.isPending ? (
        <LoadingRows label="Loading sessions" rows={3} />
      ) : sessions.isError && !sessions.data ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <div className="p-2 sm:p-4">
          <SettingsTable
            caption="Where the account is signed in"
            rows={sessions.data}
            idOf={({ id }) => id}
            nameOf={nameOf}
            textOf={(session) =>
              `${nameOf(session)} ${session.signed_in_by ? methods[session.signed_in_by] : ''}`
            }
            columns={[
              {
                label: 'Session',
                sortBy: nameOf,
                cell: (session) => (
                  <>
                    <span className="flex flex-wrap items-center gap-x-2 font-medium">
                      <span className="truncate">{nameOf(session)}</span>
                      {session.current && <Badge tone="success">This device</Badge>}
                    </span>
                    <span className="block text-muted">
                      Signed in{session.signed_in_by && ` ${methods[session.signed_in_by]}`}:{' '}
                      <Timestamp at={session.created_at} />
                    </span>
                  </>
                ),
              },
              {
                label: 'Last used',
                className: 'w-32 text-muted max-sm:hidden',
                sortBy: ({ last_used_at }) => last_used_at,
                cell: ({ last_used_at }) => (last_used_at ? <Timestamp at={last_used_at} /> : 'Never'),
              },
              {
                label: 'Expires',
                className: 'w-32 text-muted max-md:hidden',
                sortBy: ({ expires_at }) => expires_at,
                cell: ({ expires_at }) => (expires_at ? <Timestamp at={expires_at} /> : 'Never'),
              },
              {
                label: 'Sign out',
                isLabelHidden: true,
                className: 'w-28 text-right',
                cell: (session) =>
                  session.current ? (
                    <Button onClick={() => void signOut()}>Sign out</Button>
                  ) : (
                    <Button
                      data-list-control="session"
                      aria-label={`Sign out ${session.name ?? 'unnamed device'}`}
                      onClick={() => end.mutate([session])}
                    >
                      Sign out
                    </Button>
                  ),
              },
            ]}
            empty={<EmptyState title="No sessions" />}
          />
        </div>
      )}
      <ConfirmDialog
        title="Sign out all other sessions?"
        confirmLabel="Sign out"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => end.mutate(others)}
      >
        {others.length === 1 ? 'One other device is' : `${others.length} other devices are`} signed out and no
        longer {others.length === 1 ? 'receives' : 'receive'} push notifications.
      </ConfirmDialog>
    </Section>
  );
}

const nameOf = ({ name }: Session) => name ?? 'Unnamed device';

/** Ends sessions one by one. Updates the list optimistically and reloads it after a failure. */
function useEndSessions() {
  const queries = useQueryClient();
  const key = trpc.sessions.list.queryKey();
  return useMutation({
    async mutationFn(sessions: Session[]) {
      const failures: unknown[] = [];
      for (const { id } of sessions) {
        try {
          await client.sessions.end.mutate({ id });
        } catch (error) {
          // One that has ended meanwhile must not keep the others signed in.
          if (asFirmdeskError(error).code !== 'resource_not_found') failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
    async onMutate(sessions) {
      await queries.cancelQueries({ queryKey: key });
      const gone = new Set(sessions.map(({ id }) => id));
      queries.setQueryData(key, (before) => before?.filter(({ id }) => !gone.has(id)));
    },
    onError: (error) => reportError(error, 'Couldn’t sign out every session'),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: key }),
        queries.invalidateQueries(trpc.devices.list.pathFilter()),
      ]),
  });
}
