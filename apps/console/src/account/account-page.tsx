import { useAccount } from '../session/account.ts';
import { Page } from '../ui/page.tsx';
import { Devices } from './devices.tsx';
import { MutedKinds } from './muted-kinds.tsx';
import { PasswordForm } from './password-form.tsx';
import { Preferences } from './preferences.tsx';
import { Sessions } from './sessions.tsx';

/** One's own account: where it is signed in, what its phones are told, its password, and how the desk behaves here. */
export function AccountPage() {
  const { user } = useAccount();
  return (
    <Page title="Account">
      <div className="mx-auto max-w-3xl space-y-4 p-4">
        <p className="text-muted">
          {user.name}, {user.email}. Times of the calendar are those of {user.timezone}.
        </p>
        <Sessions />
        <Devices />
        <MutedKinds />
        <PasswordForm />
        <Preferences />
      </div>
    </Page>
  );
}
