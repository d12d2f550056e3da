import { type BrowserSession, PLATFORM } from '@firmdesk/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reportError } from '../shell/report-error.ts';
import { Button } from '../ui/button.tsx';
import { usePageTitle } from '../ui/page.tsx';
import { browserSessionsQuery } from './browser-sessions.ts';
import { enterFirm } from './enter-firm.ts';
import { currentPath, firm } from './firm.ts';
import { FirmList } from './firm-list.tsx';
import { isTestData, pageOfPath } from './firm-path.ts';
import { signOutOf } from './sign-out.ts';

/** Lists every firm that the accounts of this browser can open. */
export function FirmPicker({ reason }: { reason?: string }) {
  usePageTitle('Choose a firm');
  const { data: sessions } = useSuspenseQuery(browserSessionsQuery());
  const [isPending, setPending] = useState(false);
  // A session of test data opens no firm.
  const liveSessions = sessions.filter(({ workspace }) => !isTestData(workspace.slug));
  const accounts = [...Map.groupBy(liveSessions, ({ user }) => user.id).values()];

  const leavePage = async (run: () => Promise<void>, failure: string) => {
    setPending(true);
    try {
      await run();
    } catch (error) {
      setPending(false);
      reportError(error, failure);
    }
  };

  const choose = (slug: string, ofAccount: readonly BrowserSession[]) => {
    const { name, signedInTo } = firmsOf(ofAccount).find((each) => each.slug === slug)!;
    void leavePage(() => enterFirm(slug, signedInTo, pageFor(slug)), `Couldn’t open ${name}`);
  };

  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="w-full max-w-md">
        <h1 className="mb-1 text-xl font-semibold">Choose a firm</h1>
        <p className="mb-4 text-muted">
          {reason ?? 'This window will show the firm that you choose. Other windows stay as they are.'}
        </p>
        {accounts.map((ofAccount) => (
          <section key={ofAccount[0]!.user.id} className="mb-4">
            <h2 className="mb-1 text-sm text-muted">Signed in as {ofAccount[0]!.user.email}</h2>
            {firmsOf(ofAccount).length === 0 ? (
              <p>This account has no firms. Ask an administrator to add you to one.</p>
            ) : (
              <FirmList
                firms={firmsOf(ofAccount)}
                isDisabled={isPending}
                onChoose={(slug) => choose(slug, ofAccount)}
              />
            )}
          </section>
        ))}
        {sessions.some(({ workspace }) => workspace.slug === PLATFORM) && (
          <p className="mb-4">
            <a href="/staff" className="text-accent underline">
              Search, create and suspend firms
            </a>
          </p>
        )}
        <div className="flex gap-2">
          <Button disabled={isPending} onClick={() => location.assign('/sign-in')}>
            Use another account
          </Button>
          {sessions.length > 0 && (
            <Button
              variant="quiet"
              disabled={isPending}
              onClick={() =>
                void leavePage(
                  () => signOutOf(sessions.map(({ workspace }) => workspace.slug)),
                  'Couldn’t sign out',
                )
              }
            >
              Sign out
            </Button>
          )}
        </div>
      </div>
    </main>
  );
}

/** Returns an account's firms, sorted by name, each with the workspace of a session that can open it: preferably its own. */
function firmsOf(sessions: readonly BrowserSession[]) {
  const firms = new Map<string, { slug: string; name: string; signedInTo: string }>();
  for (const { workspace, workspaces } of sessions) {
    for (const { slug, name } of workspaces) {
      if (!firms.has(slug) || workspace.slug === slug)
        firms.set(slug, { slug, name, signedInTo: workspace.slug });
    }
  }
  return [...firms.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the page to open: the requested one, unless it belongs to another firm. */
function pageFor(slug: string): string {
  return firm === null || firm === slug ? pageOfPath(currentPath()) : '/';
}
