import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useAccount } from '../session/account.ts';
import { isTestData } from '../session/firm-path.ts';
import { classNames } from '../ui/class-names.ts';
import { TextField } from '../ui/fields/field.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { findSettings, settingsFor } from './settings-pages.ts';

/** A page of the settings beside the list of all of them. On a phone, the list opens above the page. */
export function SettingsLayout() {
  const href = useLocation({ select: ({ pathname, hash }) => `${pathname}#${hash}` });
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { permissions, workspace } = useAccount();
  const isTest = isTestData(workspace.slug);
  const mayOpen = settingsFor(permissions, { isTest }).some(({ to }) => path.endsWith(to));
  const [isOpen, setOpen] = useState(false);
  // The list closes when another page is opened.
  useEffect(() => setOpen(false), [href]);
  return (
    <div className="flex h-full min-h-0 flex-col md:flex-row">
      <div className="shrink-0 border-b border-line bg-surface md:w-56 md:overflow-y-auto md:border-r md:border-b-0">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex h-11 w-full items-center justify-between px-5 font-medium md:hidden"
        >
          All settings
          <ChevronDown size={16} aria-hidden="true" className={classNames(isOpen && 'rotate-180')} />
        </button>
        <div
          className={classNames('max-h-[60dvh] overflow-y-auto md:block md:max-h-none', !isOpen && 'hidden')}
        >
          <SettingsList />
        </div>
      </div>
      <div className="min-h-0 min-w-0 flex-1">
        {mayOpen ? (
          <Outlet />
        ) : (
          <Page title="Settings">
            <EmptyState title="You can’t open this page">
              {isTest
                ? 'Test data has no such settings: they are those of the firm.'
                : 'An administrator of your firm can give you the permission.'}
            </EmptyState>
          </Page>
        )}
      </div>
    </div>
  );
}

function SettingsList() {
  const { permissions, workspace } = useAccount();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const found = findSettings(settingsFor(permissions, { isTest: isTestData(workspace.slug) }), text);
  const openFirst = (event: FormEvent) => {
    event.preventDefault();
    const [first] = found;
    if (first) void navigate({ to: first.to, ...(first.hash && { hash: first.hash }) });
  };
  return (
    <nav aria-label="Settings" className="space-y-3 p-3">
      <form onSubmit={openFirst}>
        <TextField
          type="search"
          label="Search settings"
          isLabelHidden
          placeholder="Search settings"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </form>
      {[...Map.groupBy(found, ({ group }) => group)].map(([group, pages]) => (
        <div key={group}>
          <p className="px-2 py-1 text-xs font-medium text-muted">{group}</p>
          <ul aria-label={group}>
            {pages.map(({ to, hash, label }) => (
              <li key={label}>
                <Link
                  to={to}
                  {...(hash && { hash })}
                  activeOptions={{ includeHash: true }}
                  className="flex min-h-8 items-center rounded-md px-2 text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-text pointer-coarse:min-h-11"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {found.length === 0 && (
        <p role="status" className="px-2 text-muted">
          No settings match.
        </p>
      )}
    </nav>
  );
}
