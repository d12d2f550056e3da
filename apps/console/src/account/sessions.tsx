import { asFirmdeskError } from '@firmdesk/client';
import type { Session, SignInMethod } from '@firmdesk/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, trpc } from '../api.ts';
import { signOut } from '../session/sign-out.ts';
import { reportError } from '../shell/report-error.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
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
        <ul className="divide-y divide-line">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => end.mutate([session])} />
          ))}
        </ul>
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

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { name, current, signed_in_by, created_at, last_used_at, expires_at } = session;
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3">
      <div className="min-w-0">
        <p className="flex items-center gap-2 font-medium">
          <span className="truncate">{name ?? 'Unnamed device'}</span>
          {current && <Badge tone="success">This device</Badge>}
        </p>
        <p className="text-muted">
          Signed in{signed_in_by && ` ${methods[signed_in_by]}`}: <Timestamp at={created_at} />
          {last_used_at && (
            <>
              {' · last used: '}
              <Timestamp at={last_used_at} />
            </>
          )}
          {expires_at && (
            <>
              {' · expires: '}
              <Timestamp at={expires_at} />
            </>
          )}
        </p>
      </div>
      {current ? (
        <Button onClick={() => void signOut()}>Sign out</Button>
      ) : (
        <Button
          data-list-control="session"
          aria-label={`Sign out ${name ?? 'unnamed device'}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

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
