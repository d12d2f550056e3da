import './start.ts';
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Tooltip } from 'radix-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { confirmWith, connection, queryClient } from './api.ts';
import { installServiceWorker } from './install-service-worker.ts';
import { listenToKeyboard } from './keyboard/shortcuts.ts';
import { fetchPagesWhenIdle, router } from './router.tsx';
import { accountQuery, forgetAccount, isSignedOut } from './session/account.ts';
import { currentPath } from './session/firm.ts';
import { isShownInstead } from './session/firm-picker.tsx';
import { Toasts } from './shell/toasts.tsx';
import { followTheme } from './theme.ts';
import { isUnreachable } from './unreachable.ts';

confirmWith(async () => (await import('./session/confirm-session.tsx')).confirmSession());
followTheme();
listenToKeyboard();
fetchPagesWhenIdle();
installServiceWorker();

// When the session ends, also from another tab or device, go to the sign-in page and return afterwards. Drafts stay in the
// browser. Without a session from the start, the router decides what to show.
const leave = () => {
  if (router.state.location.pathname === '/sign-in') return;
  if (queryClient.getQueryData(accountQuery().queryKey) === undefined) return;
  forgetAccount();
  void router.navigate({ to: '/sign-in', search: { back: currentPath(), ended: true }, replace: true });
};
const leaveWhenSignedOut = (error: unknown) => {
  if (error && isSignedOut(error)) leave();
};
queryClient.getQueryCache().subscribe(({ query }) => leaveWhenSignedOut(query.state.error));
queryClient.getMutationCache().subscribe(({ mutation }) => leaveWhenSignedOut(mutation?.state.error));
connection.subscribe(() => {
  if (connection.state.status === 'signed_out') leave();
});

// What could not be loaded without a network, or while the service was away, is loaded once the line is back: also on pages that were
// loaded without one, for which the query client sees no change.
const retryFailed = () =>
  void queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error' && isUnreachable(state.error),
  });
addEventListener('online', retryFailed);
connection.subscribe(() => {
  if (connection.state.status === 'open') retryFailed();
});

function Console() {
  return (
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delayDuration={400}>
        <RouterProvider router={router} />
        <Toasts />
      </Tooltip.Provider>
    </QueryClientProvider>
  );
}

const root = createRoot(document.getElementById('console')!, {
  // What a page shows instead of itself is no fault of the console.
  onCaughtError: (error) => isShownInstead(error) || console.error(error),
});
root.render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
