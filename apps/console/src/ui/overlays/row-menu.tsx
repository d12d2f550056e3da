import { MoreHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../button.tsx';
import { Menu, MenuItem, MenuSeparator } from './menu.tsx';

/** The menu of a row of a list or a table. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const label = `Actions of ${name}`;
  return (
    <Menu
      label={label}
      align="end"
      trigger={
        <IconButton
          icon={MoreHorizontal}
          data-list-control="row"
          label={label}
          className="pointer-coarse:size-11"
        />
      }
    >
      {children}
    </Menu>
  );
}

/** The items of the menu of a row in a list with an order of its own. */
export function OrderedItems<Row extends { id: string }>({
  rows,
  row: { id },
  onEdit,
  onMove,
  onDelete,
}: {
  rows: readonly Row[];
  row: Row;
  onEdit(): void;
  /** Moves the row before another one, or to the end. */
  onMove(move: { id: string; before: string | null }): void;
  onDelete(): void;
}) {
  const at = rows.findIndex((each) => each.id === id);
  return (
    <>
      <MenuItem onSelect={onEdit}>Edit</MenuItem>
      <MenuItem isDisabled={at <= 0} onSelect={() => onMove({ id, before: rows[at - 1]!.id })}>
        Move up
      </MenuItem>
      <MenuItem
        isDisabled={at === rows.length - 1}
        onSelect={() => onMove({ id, before: rows[at + 2]?.id ?? null })}
      >
        Move down
      </MenuItem>
      <MenuSeparator />
      <MenuItem isDanger onSelect={onDelete}>
        Delete
      </MenuItem>
    </>
  );
}

/** Returns the rows with one of them before another, or at the end. */
export function moved<Row extends { id: string }>(
  rows: readonly Row[],
  id: string,
  before: string | null,
): Row[] {
  const row = rows.find((each) => each.id === id)!;
  const others = rows.filter((each) => each !== row);
  const at = before === null ? others.length : others.findIndex((each) => each.id === before);
  return others.toSpliced(at, 0, row);
}
