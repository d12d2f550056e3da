import { ChevronsUpDown } from 'lucide-react';
import { useEffect } from 'react';
import { useAccount } from '../session/account.ts';
import { isTestData, liveSlug, testSlug } from '../session/firm-path.ts';
import { FirmLogo } from '../ui/firm-logo.tsx';
import { Menu, MenuChoice, MenuSeparator } from '../ui/menu.tsx';
import { show } from './show-firm.ts';

const LOGO = 'h-6 max-w-24 shrink-0';

/** Shows the firm of this window, with a menu of its test data and of the other firms of the account. */
export function FirmSwitcher() {
  const { workspace, workspaces } = useAccount();
  const live = liveSlug(workspace.slug);
  const isTest = isTestData(workspace.slug);
  const mayTest = workspace.role === 'admin' || workspace.role === 'staff';
  useEffect(() => {
    void import('../session/known-logo.ts').then(({ rememberLogo }) =>
      rememberLogo(live, workspace.logo_url),
    );
  }, [live, workspace.logo_url]);
  const others = workspaces.filter(({ slug }) => slug !== live);
  if (others.length === 0 && !mayTest) {
    return (
      <span className="flex min-w-0 items-center gap-2 px-2 font-semibold">
        <FirmLogo url={workspace.logo_url} className={LOGO} />
        <span className="truncate">{workspace.name}</span>
      </span>
    );
  }
  return (
    <Menu
      label="Firms"
      trigger={
        <button
          type="button"
          className="flex min-w-0 items-center gap-2 rounded-md px-2 py-1 font-semibold hover:bg-hover"
        >
          <FirmLogo url={workspace.logo_url} className={LOGO} />
          <span className="truncate">{workspace.name}</span>
          <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
          <span className="sr-only">, switch firm</span>
        </button>
      }
    >
      {workspaces.map(({ slug, name, logo_url }) => (
        <MenuChoice
          key={slug}
          isChosen={slug === live}
          onSelect={() => void show(slug, workspace.slug, name)}
        >
          <FirmLogo url={logo_url} className={LOGO} />
          {name}
        </MenuChoice>
      ))}
      {mayTest && workspaces.length > 0 && <MenuSeparator />}
      {mayTest && (
        <MenuChoice
          isChosen={isTest}
          onSelect={() =>
            void show(
              isTest ? live : testSlug(live),
              workspace.slug,
              isTest ? workspace.name : 'the test data',
            )
          }
        >
          Test data
        </MenuChoice>
      )}
    </Menu>
  );
}
