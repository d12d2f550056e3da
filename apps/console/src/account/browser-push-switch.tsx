import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api.ts';
import { BLOCKED, canPush, isBlocked, subscribe, unsubscribe } from '../notifications/browser-push.ts';
import { useAccount } from '../session/account.ts';
import { isTestData } from '../session/firm-path.ts';
import { reportError } from '../shell/report-error.ts';
import { Switch } from '../ui/fields/switch.tsx';

/** Turns on push in this browser, where the installation offers it. */
export function BrowserPushSwitch() {
  const { user, workspace } = useAccount();
  const queries = useQueryClient();
  const key = useQuery(trpc.devices.browserKey.queryOptions());
  const devices = useQuery(trpc.devices.list.queryOptions({}));
  const own = devices.data?.find(({ app, current }) => app === 'browser' && current);
  const [isDenied, setDenied] = useState(isBlocked);
  const change = useMutation({
    async mutationFn(isOn: boolean) {
      if (isOn) setDenied(!(await subscribe(key.data!.public_key!, user.id)));
      else await unsubscribe(user.id, own?.session ?? null);
    },
    onError: (error) => reportError(error, 'Couldn’t change push in this browser'),
    onSettled: () => queries.invalidateQueries(trpc.devices.list.pathFilter()),
  });
  // Pushes of test data are recorded, not sent.
  if (!key.data?.public_key || !devices.data || isTestData(workspace.slug)) return null;
  const isSupported = canPush();
  const hint = !isSupported
    ? 'This browser can’t receive push. On iPhone and iPad, add Firmdesk to the Home Screen first.'
    : isDenied
      ? BLOCKED
      : 'Also while Firmdesk is closed, until you sign out. The texts are encrypted on the way.';
  return (
    <Switch
      label="Push in this browser"
      hint={hint}
      isOn={own !== undefined && !isDenied}
      isDisabled={!isSupported || isDenied || change.isPending}
      onChange={(isOn) => change.mutate(isOn)}
    />
  );
}
