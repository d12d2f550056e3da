import {
  type Audience,
  type NotificationKind,
  notificationAudiences,
  notificationKinds,
} from '@firmdesk/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { notificationKindLabels } from '../notifications/kinds.ts';
import { useAccount } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Section } from './section.tsx';

/** Chooses the kinds of notification that are pushed to the caller's devices. */
export function MutedKinds() {
  const { permissions, is_staff } = useAccount();
  const queries = useQueryClient();
  const key = trpc.notifications.mutes.queryKey();
  const mutes = useQuery(trpc.notifications.mutes.queryOptions());
  const mute = useMutation(
    trpc.notifications.mute.mutationOptions({
      async onMutate({ kind, muted }) {
        // An answer from before the change would undo it on the page.
        await queries.cancelQueries({ queryKey: key });
        queries.setQueryData(key, (before) => {
          const others = before?.kinds.filter((each) => each !== kind) ?? [];
          return before && { ...before, kinds: muted ? [...others, kind] : others };
        });
      },
      onSuccess: (answer) => queries.setQueryData(key, answer),
      onError(error) {
        reportError(error, 'Couldn’t change push notifications');
        void queries.invalidateQueries({ queryKey: key });
      },
    }),
  );
  const canReceive = (kind: NotificationKind) => {
    const audience: Audience = notificationAudiences[kind];
    if (audience.to === 'person') return true;
    return 'permission' in audience ? permissions.includes(audience.permission) : is_staff;
  };
  return (
    <Section title="Push notifications" description="The notification centre always shows every kind.">
      {mutes.isPending ? (
        <LoadingRows label="Loading push notifications" rows={3} />
      ) : mutes.isError ? (
        <ErrorState error={mutes.error} onRetry={() => void mutes.refetch()} />
      ) : (
        <ul className="grid gap-x-6 px-4 py-2 sm:grid-cols-2">
          {notificationKinds.filter(canReceive).map((kind) => (
            <li key={kind}>
              <label className="flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-accent-solid"
                  checked={!mutes.data.kinds.includes(kind)}
                  onChange={(event) => mute.mutate({ kind, muted: !event.target.checked })}
                />
                {notificationKindLabels[kind]}
              </label>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
