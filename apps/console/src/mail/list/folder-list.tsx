import { type Folder, folders, type Mailbox } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import { SelectField } from '../../ui/field.tsx';
import { folderIcons, folderLabels } from '../folders.ts';
import { mailRoute } from '../mail-route.ts';

export function FolderList({
  mailbox,
  mailboxes,
  folder: open,
}: {
  mailbox: Mailbox;
  mailboxes: Mailbox[];
  folder: Folder;
}) {
  const navigate = mailRoute.useNavigate();
  return (
    <>
      {mailboxes.length > 1 ? (
        <SelectField
          label="Mailbox"
          isLabelHidden
          value={mailbox.id}
          onChange={(event) => void navigate({ search: { mailbox: Number(event.target.value) } })}
        >
          {mailboxes.map(({ id, name, unread }) => (
            <option key={id} value={id}>
              {unread > 0 ? `${name} (${unread})` : name}
            </option>
          ))}
        </SelectField>
      ) : (
        <p className="truncate px-2 font-medium" title={mailbox.email}>
          {mailbox.name}
        </p>
      )}
      <nav aria-label="Folders">
        <ul className="flex flex-wrap gap-0.5 md:flex-col">
          {folders.map((folder) => {
            const Icon = folderIcons[folder];
            return (
              <li key={folder}>
                <Link
                  to="/mail"
                  search={{ mailbox: mailbox.id, folder }}
                  aria-current={folder === open ? 'page' : undefined}
                  className="flex min-h-8 items-center gap-2 rounded-md px-2 text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-text"
                >
                  <Icon size={15} aria-hidden="true" />
                  <span className="flex-1">{folderLabels[folder]}</span>
                  {folder === 'inbox' && mailbox.unread > 0 && (
                    <span className="text-xs tabular-nums">
                      {mailbox.unread}
                      <span className="sr-only"> unread</span>
                    </span>
                  )}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
      {!mailbox.can_write && <p className="px-2 text-xs text-muted max-md:hidden">Read-only mailbox</p>}
    </>
  );
}
