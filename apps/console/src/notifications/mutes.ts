import type { NotificationKind } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { useUnsavedInputs } from '../outbox/calls.ts';
import { outbox } from '../outbox/outbox.ts';

/** How long the muted kinds are not read again. Another session may change them. */
const MUTES_MS = 300_000;

interface MuteInput {
  kind: NotificationKind;
  muted: boolean;
}

/** Mutes or unmutes a kind, also without a network. */
export function mute(input: MuteInput): void {
  outbox().add({ kind: 'call', procedure: 'notifications.mute', input });
}

/** Returns the choices that are not saved yet, oldest first. */
export function useUnsavedMutes(): readonly MuteInput[] {
  return useUnsavedInputs<MuteInput>('notifications.mute');
}

/** Returns a function that tells whether a kind is muted, also if that is not saved yet. */
export function useIsMuted(): (kind: NotificationKind) => boolean {
  const { data } = useQuery(trpc.notifications.mutes.queryOptions(undefined, { staleTime: MUTES_MS }));
  const unsaved = useUnsavedMutes();
  return (kind) =>
    unsaved.findLast((each) => each.kind === kind)?.muted ?? data?.kinds.includes(kind) ?? false;
}
