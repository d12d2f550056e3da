import { Link } from '@tanstack/react-router';
import { Keys } from '../keyboard/keys.tsx';
import { useAccount } from '../session/account.ts';
import { destinations } from './navigation.ts';

/** The pages: beside them on a wide screen, below them on a phone. */
export function SideBar() {
  const { permissions } = useAccount();
  const shown = destinations.filter(({ permission }) => !permission || permissions.includes(permission));
  return (
    <nav
      aria-label="Pages"
      className="order-last flex shrink-0 justify-around border-t border-line bg-surface md:order-first md:w-52 md:flex-col md:justify-start md:gap-0.5 md:border-t-0 md:border-r md:p-2"
    >
      {shown.map(({ to, label, keys, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className="group flex min-h-11 min-w-11 items-center justify-center gap-2.5 rounded-md px-2.5 text-muted hover:bg-hover hover:text-text md:min-h-8 md:justify-start"
          activeProps={{ className: 'bg-selected !text-text font-medium' }}
        >
          <Icon size={17} aria-hidden="true" className="shrink-0" />
          <span className="sr-only md:not-sr-only md:flex-1">{label}</span>
          <span className="hidden opacity-0 group-hover:opacity-100 md:inline">
            <Keys keys={keys} />
          </span>
        </Link>
      ))}
    </nav>
  );
}
