import type { Session } from '@firmdesk/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, trpc } from '../api.ts';
import { signOut } from '../session/sign-out.ts';
import { reportError } from '../shell/report-error.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Timestamp } from '../ui/timestamp.tsx';
import { Section } from './section.tsx';

/** Where the account is signed in, and the way to end it there. */
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
          <Button look="danger" disabled={end.isPending} onClick={() => setAsking(true)}>
            End all others
          </Button>
        )
      }
    >
      {sessions.isPending ? (
        <LoadingRows label="Loading sessions" rows={3} />
      ) : sessions.isError ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <ul className="divide-y divide-line">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end.mutate([session])} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        title="End all other sessions?"
        confirmLabel="End them"
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => end.mutate(others)}
      >
        {others.length === 1 ? 'One other device is' : `${others.length} other devices are`} signed out, and
        their phones are told nothing more.
      </ConfirmDialog>
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { name, current, created_at, last_used_at, expires_at } = session;
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3">
      <div className="min-w-0">
        <p className="flex items-center gap-2 font-medium">
          <span className="truncate">{name ?? 'Unnamed device'}</span>
          {current && <Badge tone="success">This one</Badge>}
        </p>
        <p className="text-muted">
          Signed in: <Timestamp at={created_at} />
          {last_used_at && (
            <>
              {' · last used: '}
              <Timestamp at={last_used_at} />
            </>
          )}
          {expires_at && (
            <>
              {' · ends: '}
              <Timestamp at={expires_at} />
            </>
          )}
        </p>
      </div>
      {current ? (
        <Button onClick={() => void signOut()}>Sign out</Button>
      ) : (
        <Button aria-label={`End the session of ${name ?? 'an unnamed device'}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}

/** Ends sessions one by one: gone from the list at once, and back in it where that was refused. */
function useEndSessions() {
  const queries = useQueryClient();
  const key = trpc.sessions.list.queryKey();
  return useMutation({
    async mutationFn(sessions: Session[]) {
      for (const { id } of sessions) await client.sessions.end.mutate({ id });
    },
    async onMutate(sessions) {
      await queries.cancelQueries({ queryKey: key });
      const gone = new Set(sessions.map(({ id }) => id));
      queries.setQueryData(key, (before) => before?.filter(({ id }) => !gone.has(id)));
    },
    onError: (error) => reportError(error, 'Not every session was ended'),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: key }),
        queries.invalidateQueries(trpc.devices.list.pathFilter()),
      ]),
  });
}
