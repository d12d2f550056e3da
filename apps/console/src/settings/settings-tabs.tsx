import { Link } from '@tanstack/react-router';

const pages = [
  { to: '/settings/assistant', label: 'Assistant' },
  { to: '/settings/macros', label: 'Macros' },
  { to: '/settings/sla', label: 'SLA' },
] as const;

/** Links between the settings pages. */
export function SettingsTabs() {
  return (
    <nav aria-label="Settings" className="flex gap-1">
      {pages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className="inline-flex h-8 items-center rounded-md px-2.5 font-medium text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-text/8 aria-[current=page]:text-text pointer-coarse:h-11"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
