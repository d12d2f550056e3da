import { ChevronsUpDown } from 'lucide-react';
import { useAccount } from '../session/account.ts';
import { enterFirm } from '../session/enter-firm.ts';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { reportError } from './report-error.ts';

/** Shows the firm of this window, with a menu of the other firms of the account. */
export function FirmSwitcher() {
  const { workspace, workspaces } = useAccount();
  if (workspaces.every(({ slug }) => slug === workspace.slug)) {
    return <span className="truncate px-2 font-semibold">{workspace.name}</span>;
  }
  const goTo = async (slug: string, name: string) => {
    if (slug === workspace.slug) return;
    try {
      await enterFirm(slug, workspace.slug);
    } catch (error) {
      reportError(error, `Couldn’t open ${name}`);
    }
  };
  return (
    <Menu
      label="Firms"
      trigger={
        <button
          type="button"
          className="flex min-w-0 items-center gap-1 rounded-md px-2 py-1 font-semibold hover:bg-hover"
        >
          <span className="truncate">{workspace.name}</span>
          <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
          <span className="sr-only">, switch firm</span>
        </button>
      }
    >
      {workspaces.map(({ slug, name }) => (
        <MenuChoice key={slug} isChosen={slug === workspace.slug} onSelect={() => void goTo(slug, name)}>
          {name}
        </MenuChoice>
      ))}
    </Menu>
  );
}
