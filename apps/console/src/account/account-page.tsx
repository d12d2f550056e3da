import { useAccount } from '../session/account.ts';
import { isTestData } from '../session/firm-path.ts';
import { Page } from '../ui/page.tsx';
import { Preferences } from './preferences.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { TimeZone } from './time-zone.tsx';

/** Settings of the caller's account: profile, sessions, time zone and preferences. A test session does not change the time zone. */
export function AccountPage() {
  const { user, workspace } = useAccount();
  return (
    <Page title="Account settings">
      <div className="mx-auto max-w-3xl space-y-4 p-4">
        <p className="text-muted">
          {user.name}, {user.email}
        </p>
        {!isTestData(workspace.slug) && <Profile />}
        <Sessions />
        {!isTestData(workspace.slug) && <TimeZone />}
        <Preferences />
      </div>
    </Page>
  );
}
