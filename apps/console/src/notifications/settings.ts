import type {
  ChangeNotificationSettingInput,
  NotificationChannel,
  NotificationTopic,
} from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { useUnsavedInputs } from '../outbox/calls.ts';
import { outbox } from '../outbox/outbox.ts';

/** Turns a channel on or off for a topic, also without a network. */
export function changeSetting(input: ChangeNotificationSettingInput): void {
  outbox().add({ kind: 'call', procedure: 'notifications.changeSetting', input });
}

/** Returns the choices that are not saved yet, oldest first. */
export function useUnsavedSettings(): readonly ChangeNotificationSettingInput[] {
  return useUnsavedInputs<ChangeNotificationSettingInput>('notifications.changeSetting');
}

/** Returns a function that tells whether a channel is on for a topic, also if that is not saved yet. */
export function useIsOn(): (topic: NotificationTopic, channel: NotificationChannel) => boolean {
  // Another window's changes are streamed.
  const { data } = useQuery(trpc.notifications.settings.queryOptions(undefined, { staleTime: Infinity }));
  const unsaved = useUnsavedSettings();
  return (topic, channel) =>
    unsaved.findLast((each) => each.topic === topic && each.channel === channel)?.on ??
    data?.topics.find((each) => each.topic === topic)?.[channel] ??
    true;
}
