import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { Page } from '../ui/page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';

/** How the account signs in: its password, passkeys and authenticator app. */
export function AccountSignInPage() {
  const settings = useQuery(trpc.signIn.get.queryOptions());
  return (
    <Page title="Password and sign-in">
      <div className="mx-auto max-w-3xl space-y-4 p-4">
        {settings.data ? (
          <>
            {settings.data.has_password && <PasswordForm hasPasskeys={settings.data.passkeys.length > 0} />}
            <Passkeys passkeys={settings.data.passkeys} />
            <SecondFactor factor={settings.data.second_factor} />
          </>
        ) : settings.isError ? (
          <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
        ) : (
          <LoadingRows label="Loading sign-in settings" rows={3} />
        )}
      </div>
    </Page>
  );
}
