import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { client } from '../api.ts';
import { errorText } from '../ui/error-text.ts';
import { FormError } from '../ui/fields/field.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { browserName } from './browser-name.ts';
import { rememberDevice } from './known-device.ts';
import { pageAfter } from './page-after.ts';
import { takeBegun } from './provider-sign-in.ts';
import { SignedOutPage } from './signed-out-page.tsx';

/** Finishes the sign-in with what the provider has answered. */
export function ProviderPage() {
  usePageTitle('Sign in');
  const { mutate, error } = useMutation({
    async mutationFn() {
      const query = location.search.slice(1);
      const begun = takeBegun(new URLSearchParams(query).get('state'));
      // Somebody else could send a person here, to sign them in as another one.
      if (begun === null) throw new Error('This window has not begun this sign-in. Start again.');
      const opened = await client.sessions.signInWithProvider.mutate({
        query,
        cookie: true,
        name: browserName(),
      });
      rememberDevice(opened.user.email, opened.device);
      location.replace(pageAfter(opened.tenant.slug, begun.back));
    },
  });
  useEffect(() => mutate(), [mutate]);
  return (
    <SignedOutPage>
      {error ? (
        <>
          <FormError message={errorText(error)} />
          <Link to="/sign-in" className="underline">
            Back to sign-in
          </Link>
        </>
      ) : (
        <p role="status" className="text-muted">
          Signing in…
        </p>
      )}
    </SignedOutPage>
  );
}
