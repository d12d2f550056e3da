import { ChevronsUpDown } from 'lucide-react';
import { useAccount } from '../session/account.ts';
import { isTestData, liveSlug, testSlug } from '../session/firm-path.ts';
import { Menu, MenuChoice, MenuSeparator } from '../ui/overlays/menu.tsx';
import { show } from './show-firm.ts';

/** Shows the firm of this window, with a menu of its test data and of the other firms of the account. */
export function FirmSwitcher() {
  const { workspace, workspaces } = useAccount();
  const live = liveSlug(workspace.slug);
  const isTest = isTestData(workspace.slug);
  const mayTest = workspace.role === 'admin' || workspace.role === 'staff';
  const others = workspaces.filter(({ slug }) => slug !== live);
  const shown = (
    <>
      {workspace.logo_url && <img src={workspace.logo_url} alt="" className="logo h-6" />}
      <span className="truncate">{workspace.name}</span>
    </>
  );
  if (others.length === 0 && !mayTest) {
    return <span className="flex min-w-0 items-center gap-2 px-2 font-semibold">{shown}</span>;
  }
  return (
    <Menu
      label="Firms"
      trigger={
        <button
          type="button"
          className="flex min-w-0 items-center gap-2 rounded-md px-2 py-1 font-semibold hover:bg-hover"
        >
          {shown}
          <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
          <span className="sr-only">, switch firm</span>
        </button>
      }
    >
      {workspaces.map(({ slug, name }) => (
        <MenuChoice
          key={slug}
          isChosen={slug === live}
          onSelect={() => void show(slug, workspace.slug, name)}
        >
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
