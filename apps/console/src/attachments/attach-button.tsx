import { Paperclip } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { IconButton } from '../ui/button.tsx';

const KEYS = 'mod+u';

/** Opens the browser's dialog for files. */
export function AttachButton({
  group,
  onChoose,
}: {
  /** The heading that its key is listed under. */
  group: string;
  onChoose(files: Iterable<File>): void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: KEYS, label: 'Attach files', group, run: () => field.current?.click() }],
    [group],
  );
  useShortcuts(shortcuts);
  return (
    <>
      <IconButton icon={Paperclip} label="Attach files" keys={KEYS} onClick={() => field.current?.click()} />
      <input
        ref={field}
        type="file"
        multiple
        aria-label="Files to attach"
        tabIndex={-1}
        className="hidden"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          // The value is cleared, so that the same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
