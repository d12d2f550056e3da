import {
  type NotificationChannel,
  type NotificationSettings,
  notificationChannels,
  type RequiredReason,
} from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { topicLabel } from '../notifications/kinds.ts';
import { changeSetting, useIsOn, useUnsavedSettings } from '../notifications/settings.ts';
import { NotSaved } from '../ui/overlays/not-saved.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Section } from './section.tsx';

type Row = NotificationSettings['topics'][number];

const channelLabels: Record<NotificationChannel, string> = {
  bell: 'Bell',
  desktop: 'Desktop',
  sound: 'Sound',
  push: 'Push',
};

const requiredTexts: Record<RequiredReason, string> = {
  security: 'Always in the bell: it concerns the security of your account.',
  service: 'Always in the bell: your firm’s service depends on it.',
};

/** What the account is notified of, and by which channels. */
export function NotificationTable() {
  const settings = useQuery(trpc.notifications.settings.queryOptions());
  return (
    <Section
      title="What you’re notified of"
      anchor="kinds"
      description="With the bell off, you don’t get the notification at all. Push reaches your phones, and browsers where it’s on."
    >
      {settings.data ? (
        <table className="w-full table-fixed border-collapse">
          <caption className="sr-only">Channels of each notification</caption>
          <thead>
            <tr className="border-b border-line text-xs text-muted">
              <th scope="col" className="py-2 pl-4 text-left font-medium">
                Notification
              </th>
              {notificationChannels.map((channel) => (
                <th key={channel} scope="col" className="w-13 font-medium sm:w-20">
                  {channelLabels[channel]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {settings.data.topics.map((row) => (
              <TopicRow key={row.topic} row={row} />
            ))}
          </tbody>
        </table>
      ) : settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <LoadingRows label="Loading notification settings" rows={6} />
      )}
    </Section>
  );
}

function TopicRow({ row: { topic, required } }: { row: Row }) {
  const isOn = useIsOn();
  const unsaved = useUnsavedSettings();
  const label = topicLabel(topic);
  const isRaised = isOn(topic, 'bell');
  return (
    <tr>
      <th scope="row" className="py-1 pl-4 text-left font-normal">
        <span className="flex flex-wrap items-center gap-x-2">
          {label}
          {unsaved.some((each) => each.topic === topic) && <NotSaved />}
        </span>
        {required && <span className="block text-xs text-muted">{requiredTexts[required]}</span>}
      </th>
      {notificationChannels.map((channel) => (
        <td key={channel}>
          <label className="flex min-h-9 items-center justify-center pointer-coarse:min-h-11">
            <input
              type="checkbox"
              aria-label={`${label}: ${channelLabels[channel]}`}
              className="size-4 accent-accent-solid"
              checked={isRaised && isOn(topic, channel)}
              disabled={channel === 'bell' ? required !== null : !isRaised}
              onChange={({ target }) => changeSetting({ topic, channel, on: target.checked })}
            />
          </label>
        </td>
      ))}
    </tr>
  );
}
