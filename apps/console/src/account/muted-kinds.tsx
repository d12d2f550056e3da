import {
  type Audience,
  type NotificationKind,
  notificationAudiences,
  notificationKinds,
} from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { notificationKindLabels } from '../notifications/kinds.ts';
import { mute, useIsMuted, useUnsavedMutes } from '../notifications/mutes.ts';
import { useAccount } from '../session/account.ts';
import { NotSaved } from '../ui/not-saved.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Section } from './section.tsx';

/** Chooses the kinds of notification that are pushed to the caller's devices. */
export function MutedKinds() {
  const { permissions, is_staff } = useAccount();
  const mutes = useQuery(trpc.notifications.mutes.queryOptions());
  const unsaved = useUnsavedMutes();
  const isMuted = useIsMuted();
  const canReceive = (kind: NotificationKind) => {
    const audience: Audience = notificationAudiences[kind];
    if (audience.to === 'person') return true;
    return 'permission' in audience ? permissions.includes(audience.permission) : is_staff;
  };
  return (
    <Section
      title="Push notifications"
      anchor="push"
      description="The notification centre always shows every kind."
    >
      {mutes.isPending ? (
        <LoadingRows label="Loading push notifications" rows={3} />
      ) : mutes.isError && !mutes.data ? (
        <ErrorState error={mutes.error} onRetry={() => void mutes.refetch()} />
      ) : (
        <ul className="grid gap-x-6 px-4 py-2 sm:grid-cols-2">
          {notificationKinds.filter(canReceive).map((kind) => (
            <li key={kind}>
              <label className="flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-accent-solid"
                  checked={!isMuted(kind)}
                  onChange={({ target }) => mute({ kind, muted: !target.checked })}
                />
                {notificationKindLabels[kind]}
                {unsaved.some((each) => each.kind === kind) && <NotSaved />}
              </label>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
