import type { DeviceRegistration, PushApp } from '@firmdesk/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { Section } from './section.tsx';

const appLabels: Record<Exclude<PushApp, 'browser'>, string> = {
  mail: 'Mail',
  calendar: 'Calendar',
  admin: 'Admin',
};

/** Lists the devices that receive push notifications. Each can be tested and ended. */
export function Devices() {
  const devices = useQuery(trpc.devices.list.queryOptions({}));
  return (
    <Section
      title="Push devices"
      anchor="devices"
      description="Apps and browsers that receive push notifications for your account."
    >
      {devices.isPending ? (
        <LoadingRows label="Loading devices" rows={2} />
      ) : devices.isError && !devices.data ? (
        <ErrorState error={devices.error} onRetry={() => void devices.refetch()} />
      ) : devices.data.length === 0 ? (
        <EmptyState title="No push devices">
          Sign in with the app on your phone and allow notifications, or turn on push in this browser.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {devices.data.map((device) => (
            <DeviceRow key={`${device.session} ${device.app}`} device={device} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function DeviceRow({ device }: { device: DeviceRegistration }) {
  const { app, environment, last_seen_at, app_version, os_version, timezone, session } = device;
  const queries = useQueryClient();
  const sessions = useQuery(trpc.sessions.list.queryOptions());
  const name = sessions.data?.find(({ id }) => id === session)?.name ?? 'Unnamed device';
  const title = app === 'browser' ? name : `${appLabels[app]} on ${name}`;
  const test = useMutation(
    trpc.devices.pushTest.mutationOptions({
      onSuccess: () => toast.success('Test notification is being sent'),
      onError: (error) => reportError(error, 'Couldn’t send the test notification'),
    }),
  );
  const remove = useMutation(
    trpc.devices.remove.mutationOptions({
      onSuccess: () => toast.success('Push is off for this device'),
      onError: (error) => reportError(error, 'Couldn’t remove the device'),
      onSettled: () => queries.invalidateQueries(trpc.devices.list.pathFilter()),
    }),
  );
  const about = [app_version && `version ${app_version}`, os_version, timezone].filter(Boolean).join(', ');
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {title}
          {environment === 'sandbox' && <Badge tone="warning">Development build</Badge>}
        </p>
        <p className="text-muted">
          {about && `${about} · `}last seen: <Timestamp at={last_seen_at} />
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap justify-end gap-2">
        <Button
          disabled={test.isPending}
          aria-label={`Send test to ${title}`}
          onClick={() => test.mutate({ app, session })}
        >
          Send test
        </Button>
        <Button
          variant="quiet"
          disabled={remove.isPending}
          aria-label={`Remove ${title}`}
          onClick={() => remove.mutate({ app, session })}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}
