import { Outlet, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { Bell } from '../notifications/bell.tsx';
import { useAccount } from '../session/account.ts';
import { isTestData } from '../session/firm-path.ts';
import { Button } from '../ui/button.tsx';
import { whenIdle } from '../when-idle.ts';
import { AccountMenu } from './account-menu.tsx';
import { Announcer } from './announcer.tsx';
import { CommandMenu } from './command-menu.tsx';
import { ConnectionStatus, OfflineBanner } from './connection-status.tsx';
import { FirmSwitcher } from './firm-switcher.tsx';
import { destinationsFor } from './navigation.ts';
import { SideBar } from './side-bar.tsx';
import { undoLatest } from './undo.ts';

/** Loaded where test data is shown. */
const TestDataBanner = lazy(async () => ({
  default: (await import('./test-data-banner.tsx')).TestDataBanner,
}));
const shortcutsDialog = () => import('../keyboard/shortcuts-dialog.tsx');
/** Loaded before it is opened. */
const ShortcutsDialog = lazy(async () => ({ default: (await shortcutsDialog()).ShortcutsDialog }));
whenIdle(() => void shortcutsDialog().catch(() => {}));
/** Loaded for those who can cancel the deletion of the firm. */
const DeletionBanner = lazy(async () => ({
  default: (await import('./deletion-banner.tsx')).DeletionBanner,
}));
/** Loaded for the service's staff alone. */
const StaffBar = lazy(async () => ({ default: (await import('./staff-bar.tsx')).StaffBar }));

/** The header, navigation and dialogs around every page. */
export function Frame() {
  const { permissions, workspace } = useAccount();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const navigate = useNavigate();

  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'z', label: 'Undo', group: 'General', run: undoLatest },
      {
        keys: 'mod+k',
        label: 'Command menu',
        group: 'General',
        movesFocus: true,
        run: () => setMenuOpen(true),
      },
      {
        keys: '?',
        label: 'Keyboard shortcuts',
        group: 'General',
        movesFocus: true,
        run: () => setHelpOpen(true),
      },
      ...destinationsFor(permissions).map(({ to, label, keys }) => ({
        keys,
        label,
        group: 'Go to',
        run: () => void navigate({ to }),
      })),
    ],
    [navigate, permissions],
  );
  useShortcuts(shortcuts);

  return (
    <div className="flex h-full flex-col">
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded focus:bg-raised focus:p-2"
      >
        Skip to content
      </a>
      <OfflineBanner />
      {workspace.role === 'staff' && (
        <Suspense>
          <StaffBar />
        </Suspense>
      )}
      {isTestData(workspace.slug) && (
        <Suspense>
          <TestDataBanner />
        </Suspense>
      )}
      {permissions.includes('manage_settings') && (
        <Suspense>
          <DeletionBanner />
        </Suspense>
      )}
      <header className="flex h-12 shrink-0 items-center justify-between gap-3 border-b border-line bg-surface px-3">
        <FirmSwitcher />
        <div className="flex items-center gap-1.5">
          <Button variant="quiet" onClick={() => setMenuOpen(true)}>
            <Search size={15} aria-hidden="true" />
            <span className="sr-only md:not-sr-only">Search and commands</span>
          </Button>
          <ConnectionStatus />
          <Bell />
          <AccountMenu onShowShortcuts={() => setHelpOpen(true)} />
        </div>
      </header>
      <div className="flex min-h-0 flex-1 flex-col md:flex-row">
        <SideBar />
        <main id="page" tabIndex={-1} className="toast-place min-h-0 min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      {isMenuOpen && <CommandMenu onClose={() => setMenuOpen(false)} />}
      {isHelpOpen && (
        <Suspense>
          <ShortcutsDialog onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
      <Announcer />
    </div>
  );
}
