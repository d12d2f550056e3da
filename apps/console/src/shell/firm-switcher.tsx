import { ChevronsUpDown } from 'lucide-react';
import { useAccount } from '../session/account.ts';
import { chosenFirm } from '../session/chosen-firm.ts';
import { Menu, MenuChoice } from '../ui/menu.tsx';

/** Acts in another firm from now on, on a whole new page: nothing of the firm before stays. */
function actIn(slug: string): void {
  chosenFirm.set(slug);
  location.assign('/tickets');
}

/** The firm that is acted in; the service's own staff choose it here. */
export function FirmSwitcher() {
  const { workspace, workspaces, is_staff } = useAccount();
  if (!is_staff) return <span className="truncate px-2 font-semibold">{workspace.name}</span>;
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
          <span className="sr-only">, act in another firm</span>
        </button>
      }
    >
      {workspaces.map(({ slug, name }) => (
        <MenuChoice key={slug} isChosen={slug === workspace.slug} onSelect={() => actIn(slug)}>
          {name}
        </MenuChoice>
      ))}
    </Menu>
  );
}

/** In place of the pages while no firm is chosen. */
export function FirmChoice() {
  const { workspaces } = useAccount();
  return (
    <div className="mx-auto max-w-md p-8">
      <h1 className="mb-1 text-xl font-semibold">Which firm?</h1>
      <p className="mb-4 text-muted">You act for one firm at a time. You can change it at any moment.</p>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {workspaces.map(({ slug, name }) => (
          <li key={slug}>
            <button
              type="button"
              className="w-full px-4 py-3 text-left hover:bg-hover"
              onClick={() => actIn(slug)}
            >
              <span className="font-medium">{name}</span> <span className="text-muted">{slug}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
