import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { lastView } from '../inbox/views/last-view.ts';
import { FIRST_VIEW } from '../inbox/views/views.ts';
import { Keys } from '../keyboard/keys.tsx';
import { useAccount } from '../session/account.ts';
import { firm } from '../session/firm.ts';
import { classNames } from '../ui/class-names.ts';
import { destinationsFor } from './navigation.ts';

const ACTIVE = 'bg-selected !text-text font-medium';

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
  const shown = destinationsFor(permissions);
  const pathname = useLocation({ select: (location) => location.pathname });
  const isIn = (sections: readonly string[] = []) => sections.some((each) => pathname.startsWith(each));
  return (
    <div className="order-last flex min-h-0 shrink-0 flex-col border-t border-line bg-surface md:order-first md:w-52 md:border-t-0 md:border-r">
      <nav
        aria-label="Pages"
        className="flex shrink-0 justify-around md:flex-col md:justify-start md:gap-0.5 md:p-2"
      >
        {shown.map(({ to, label, shortLabel, sections, keys, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            {...(to === '/tickets' && { search: lastView(firm) ?? FIRST_VIEW })}
            activeOptions={{ includeSearch: false }}
            className={classNames(
              'group flex min-h-12 min-w-11 flex-1 flex-col items-center justify-center gap-0.5 rounded-md px-0.5 text-muted hover:bg-hover hover:text-text md:min-h-8 md:flex-none md:flex-row md:justify-start md:gap-2.5 md:px-2.5',
              isIn(sections) && ACTIVE,
            )}
            // Beside the views, the one that is shown is filled.
            activeProps={{ className: to === '/tickets' ? `${ACTIVE} md:bg-transparent` : ACTIVE }}
            {...(isIn(sections) && { 'aria-current': 'true' })}
          >
            <Icon size={17} aria-hidden="true" className="shrink-0" />
            <span className="max-w-full truncate text-xs leading-4 md:hidden">{shortLabel ?? label}</span>
            <span className="hidden flex-1 truncate md:block">{label}</span>
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
