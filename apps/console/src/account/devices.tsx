import type { DeviceRegistration, PushApp } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryClient, trpc } from '../api.ts';
import { SettingsTable } from '../settings/settings-table.tsx';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { MenuItem } from '../ui/overlays/menu.tsx';
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
  const sessions = useQuery(trpc.sessions.list.queryOptions());
  const titleOf = ({ app, session }: DeviceRegistration) => {
    const name = sessions.data?.find(({ id }) => id === session)?.name ?? 'Unnamed device';
    return app === 'browser' ? name : `${appLabels[app]} on ${name}`;
  };
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
      onSettled: () => queryClient.invalidateQueries(trpc.devices.list.pathFilter()),
    }),
  );
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
      ) : (
        <div className="p-2 sm:p-4">
          <SettingsTable
            caption="Devices with push notifications"
            rows={devices.data}
            idOf={({ session, app }) => `${session} ${app}`}
            nameOf={titleOf}
            textOf={(device) => `${titleOf(device)} ${aboutOf(device)}`}
            columns={[
              {
                label: 'Device',
                sortBy: titleOf,
                cell: (device) => (
                  <>
                    <span className="flex flex-wrap items-center gap-x-2 font-medium">
                      {titleOf(device)}
                      {device.environment === 'sandbox' && <Badge tone="warning">Development build</Badge>}
                    </span>
                    <span className="block text-muted">{aboutOf(device)}</span>
                  </>
                ),
              },
              {
                label: 'Last seen',
                className: 'w-32 text-muted max-sm:hidden',
                sortBy: ({ last_seen_at }) => last_seen_at,
                cell: ({ last_seen_at }) => <Timestamp at={last_seen_at} />,
              },
              {
                label: 'Send test',
                isLabelHidden: true,
                className: 'w-32 text-right',
                cell: (device) => (
                  <Button
                    disabled={test.isPending}
                    aria-label={`Send test to ${titleOf(device)}`}
                    onClick={() => test.mutate(refOf(device))}
                  >
                    Send test
                  </Button>
                ),
              },
            ]}
            actions={(device) => (
              <MenuItem isDanger onSelect={() => remove.mutate(refOf(device))}>
                Remove
              </MenuItem>
            )}
            empty={
              <EmptyState title="No push devices">
                Sign in with the app on your phone and allow notifications, or turn on push in this browser.
              </EmptyState>
            }
          />
        </div>
      )}
    </Section>
  );
}

const refOf = ({ app, session }: DeviceRegistration) => ({ app, session });

function aboutOf({ app_version, os_version, timezone }: DeviceRegistration): string {
  return [app_version && `version ${app_version}`, os_version, timezone].filter(Boolean).join(', ');
}
