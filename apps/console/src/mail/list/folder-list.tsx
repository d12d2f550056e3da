import type { Mailbox, MailView } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import { SelectField } from '../../ui/fields/select-field.tsx';
import type { MailTag } from '../changes/use-mail-changes.ts';
import { folderIcons, folderLabels, mailViews } from '../folders.ts';
import { mailRoute } from '../mail-route.ts';

const link =
  'flex min-h-8 items-center gap-2 rounded-md px-2 text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:font-medium aria-[current=page]:text-text';

/** The mailboxes, and the lists of one: folders, marks and tags. */
export function FolderList({
  mailbox,
  mailboxes,
  view: open,
  tag: openTag,
  tags,
}: {
  mailbox: Mailbox;
  mailboxes: Mailbox[];
  view: MailView;
  /** The tag whose conversations are shown. */
  tag: number | undefined;
  tags: readonly MailTag[];
}) {
  const navigate = mailRoute.useNavigate();
  return (
    <>
      {mailboxes.length > 1 ? (
        <SelectField
          label="Mailbox"
          isLabelHidden
          value={mailbox.id}
          choices={mailboxes.map(({ id, name, unread }) => [id, unread > 0 ? `${name} (${unread})` : name])}
          onValue={(mailbox) => void navigate({ search: { mailbox } })}
        />
      ) : (
        <p className="truncate px-2 font-medium" title={mailbox.email}>
          {mailbox.name}
        </p>
      )}
      <nav aria-label="Folders">
        <ul className="flex flex-wrap gap-0.5 md:flex-col">
          {mailViews.map((folder) => {
            const Icon = folderIcons[folder];
            return (
              <li key={folder}>
                <Link
                  to="/mail"
                  search={{ mailbox: mailbox.id, folder }}
                  aria-current={folder === open && openTag === undefined ? 'page' : undefined}
                  className={link}
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
      {tags.length > 0 && (
        <nav aria-label="Tags" className="max-md:hidden">
          <h2 className="px-2 pb-1 text-xs text-muted">Tags</h2>
          <ul className="flex flex-col gap-0.5">
            {tags.map(({ id, name, color }) => (
              <li key={id}>
                <Link
                  to="/mail"
                  search={{ mailbox: mailbox.id, label: id }}
                  aria-current={id === openTag ? 'page' : undefined}
                  className={link}
                >
                  <span aria-hidden="true" className="tag-dot" style={{ backgroundColor: color }} />
                  <span className="min-w-0 flex-1 truncate">{name}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {!mailbox.can_write && <p className="px-2 text-xs text-muted max-md:hidden">Read-only mailbox</p>}
    </>
  );
}
