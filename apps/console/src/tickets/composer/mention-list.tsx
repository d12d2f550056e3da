import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LOCALE } from '../../ui/time/time.ts';
import { useSupportDirectory } from '../properties/use-support-directory.ts';
import { mentionedIn } from './mentions.ts';
import type { MentionPicker } from './use-mention-picker.ts';

const list = new Intl.ListFormat(LOCALE);

/** The colleagues that can be mentioned, above the text box. It keeps the focus. */
export function MentionList({ picker }: { picker: MentionPicker }) {
  const { suggestions, active, listId, optionId, choose } = picker;
  if (suggestions.length === 0) return null;
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Mention a colleague"
      className="absolute bottom-full left-2 z-40 mb-1 max-h-64 w-64 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
    >
      {suggestions.map((agent, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box has the focus and handles the keys
        <div
          key={agent.id}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // Keeps the focus in the text box.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(agent)}
          className={classNames(
            'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 py-1 pointer-coarse:min-h-11',
            index === active && 'bg-hover',
          )}
        >
          <Avatar name={agent.name} url={agent.avatar_url} size="small" />
          <span className="min-w-0 truncate">{agent.name}</span>
        </div>
      ))}
    </div>
  );
}

/** Returns who is notified of a note, as a sentence; null if it mentions nobody. */
export function useMentionNotice(text: string): string | null {
  const names = mentionedIn(text, useSupportDirectory()?.agents ?? []).map(({ name }) => name);
  return names.length === 0 ? null : `Notifies ${list.format(names)}`;
}

/** Says who is notified of a note. */
export function MentionedColleagues({ text }: { text: string }) {
  const notice = useMentionNotice(text);
  return notice && <p className="px-3 pb-1 text-xs text-note-text">{notice}</p>;
}
