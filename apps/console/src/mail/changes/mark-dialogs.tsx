import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { SnoozeDialog } from '../../tickets/properties/snooze-dialog.tsx';
import { Picker, PickerItem } from '../../ui/overlays/picker.tsx';
import { tagsQuery } from '../mail-queries.ts';
import type { MailRow } from '../mail-row.ts';
import { useMailActions } from './use-mail-actions.ts';
import type { MailTag } from './use-mail-changes.ts';

interface Dialogs {
  snooze(row: MailRow): void;
  tags(row: MailRow): void;
}

const Context = createContext<Dialogs | null>(null);

/** Returns what opens the dialogs that snooze or tag a conversation. */
export function useMarkDialogs(): Dialogs {
  return useContext(Context)!;
}

/** Shows the dialogs of {@link useMarkDialogs}. `tagsOf` returns the tags that a conversation has. */
export function MarkDialogs({
  tagsOf,
  children,
}: {
  tagsOf(thread: number): readonly MailTag[];
  children: ReactNode;
}) {
  const [shown, setShown] = useState<{ kind: keyof Dialogs; row: MailRow } | null>(null);
  const { snooze } = useMailActions();
  const dialogs = useMemo<Dialogs>(
    () => ({
      snooze: (row) => setShown({ kind: 'snooze', row }),
      tags: (row) => setShown({ kind: 'tags', row }),
    }),
    [],
  );
  const close = () => setShown(null);
  return (
    <Context value={dialogs}>
      {children}
      {shown?.kind === 'snooze' && (
        <SnoozeDialog
          title="Snooze the conversation"
          description="It leaves the inbox until then, or until a message comes. All who read this mailbox see it."
          onSnooze={(until) => snooze(shown.row, until, null)}
          onClose={close}
        />
      )}
      {shown?.kind === 'tags' && (
        <TagPicker row={shown.row} chosen={tagsOf(shown.row.threadId)} onClose={close} />
      )}
    </Context>
  );
}

/** Adds tags to a conversation, and removes them. */
function TagPicker({ row, chosen, onClose }: { row: MailRow; chosen: readonly MailTag[]; onClose(): void }) {
  const [text, setText] = useState('');
  const { data: tags = [], isPending } = useQuery(tagsQuery());
  const { setTag } = useMailActions();
  const isChosen = (tag: MailTag) => chosen.some(({ id }) => id === tag.id);
  const found = tags.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const nothing = tags.length === 0 ? 'The firm has no tags yet.' : 'No tag matches.';
  return (
    <Picker
      title="Tags"
      placeholder="Find a tag"
      text={text}
      onText={setText}
      empty={isPending ? 'Loading tags…' : nothing}
      onClose={onClose}
    >
      {found.map((tag) => (
        <PickerItem key={tag.id} id={String(tag.id)} onChoose={() => setTag(row, tag, !isChosen(tag))}>
          <span aria-hidden="true" className="tag-dot" style={{ backgroundColor: tag.color }} />
          <span className="min-w-0 flex-1 truncate">{tag.name}</span>
          {isChosen(tag) && (
            <>
              <Check size={15} aria-hidden="true" />
              <span className="sr-only">chosen</span>
            </>
          )}
        </PickerItem>
      ))}
    </Picker>
  );
}
