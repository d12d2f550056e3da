import { Link } from '@tanstack/react-router';
import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Keys } from '../keyboard/keys.tsx';
import { useAccount } from '../session/account.ts';
import { destinations } from './navigation.ts';

let slot: HTMLElement | null = null;
const listeners = new Set<() => void>();

function setSlot(element: HTMLElement | null): void {
  slot = element;
  for (const listener of listeners) listener();
}

function subscribeToSlot(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Renders its children in the side bar, below the navigation. Renders nothing on a phone, which has no side bar. */
export function InSideBar({ children }: { children: ReactNode }) {
  const element = useSyncExternalStore(subscribeToSlot, () => slot);
  return element && createPortal(children, element);
}

/** The navigation: a side bar on a wide screen, a bottom bar on a phone. */
export function SideBar() {
  const { permissions } = useAccount();
  const shown = destinations.filter(({ permission }) => !permission || permissions.includes(permission));
  return (
    <div className="order-last flex min-h-0 shrink-0 flex-col border-t border-line bg-surface md:order-first md:w-52 md:border-t-0 md:border-r">
      <nav
        aria-label="Pages"
        className="flex shrink-0 justify-around md:flex-col md:justify-start md:gap-0.5 md:p-2"
      >
        {shown.map(({ to, label, keys, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className="group flex min-h-11 min-w-11 items-center justify-center gap-2.5 rounded-md px-2.5 text-muted hover:bg-hover hover:text-text md:min-h-8 md:justify-start"
            activeProps={{ className: 'bg-selected !text-text font-medium' }}
          >
            <Icon size={17} aria-hidden="true" className="shrink-0" />
            <span className="sr-only md:not-sr-only md:flex-1 md:truncate">{label}</span>
            <span className="hidden md:group-hover:inline">
              <Keys keys={keys} />
            </span>
          </Link>
        ))}
      </nav>
      <div ref={setSlot} className="hidden min-h-0 flex-1 overflow-y-auto md:block" />
    </div>
  );
}
