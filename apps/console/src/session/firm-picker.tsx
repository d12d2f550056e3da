import { asFirmdeskError, isFirmdeskError } from '@firmdesk/client';
import { lazy, Suspense, useEffect } from 'react';
import { Button } from '../ui/button.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { isSignedOut, UnreachableError } from './account.ts';
import { firm } from './firm.ts';

const LazyPicker = lazy(async () => ({ default: (await import('./firm-picker-page.tsx')).FirmPicker }));

/** Thrown when the URL has no firm and none can be inferred. */
export class NoFirmChosenError extends Error {}

/** Returns whether {@link FirmErrorPage} shows what an error asks for, or why the service refused. */
export function isShownInstead(error: unknown): boolean {
  if (error instanceof NoFirmChosenError || error instanceof UnreachableError) return true;
  return !isFirmdeskError(asFirmdeskError(error), 'unexpected');
}

/** Shown when a firm's pages cannot load: the firm picker if a firm must be chosen or access is missing, otherwise the error. */
export function FirmErrorPage({ error, reset }: { error: unknown; reset(): void }) {
  if (error instanceof NoFirmChosenError) return <FirmPicker />;
  if (error instanceof UnreachableError) return <Unreachable onRetry={reset} />;
  const known = asFirmdeskError(error);
  if (isFirmdeskError(known, 'workspace_not_permitted')) {
    return <FirmPicker reason={`You don’t have access to the firm “${firm}”.`} />;
  }
  if (isSignedOut(known)) return <FirmPicker reason={`You aren’t signed in to the firm “${firm}”.`} />;
  return <ErrorState error={error} onRetry={reset} />;
}

/** Shown when the console was loaded without a network in a window that has shown no page of the firm. */
function Unreachable({ onRetry }: { onRetry(): void }) {
  usePageTitle('Offline');
  useEffect(() => {
    addEventListener('online', onRetry);
    return () => removeEventListener('online', onRetry);
  }, [onRetry]);
  return (
    <main className="h-full">
      <h1 className="sr-only">Offline</h1>
      <EmptyState title="You’re offline">
        <p className="mb-3">This page opens once the service can be reached.</p>
        <Button onClick={onRetry}>Try again</Button>
      </EmptyState>
    </main>
  );
}

/** The picker, which is no part of the first load. */
export function FirmPicker(props: { reason?: string }) {
  return (
    <Suspense>
      <LazyPicker {...props} />
    </Suspense>
  );
}
