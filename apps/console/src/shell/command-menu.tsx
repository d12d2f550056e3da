import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useState } from 'react';
import { Keys } from '../keyboard/keys.tsx';
import { useListedShortcuts } from '../keyboard/shortcuts.ts';

const item =
  'flex items-center justify-between gap-4 rounded-md px-3 py-2 data-[selected=true]:bg-selected cursor-pointer';

/**
 * Lists the available commands and searches tickets. It is part of the first load, so that keys typed right after ⌘K are not
 * lost.
 */
export function CommandMenu({ onClose }: { onClose(): void }) {
  // The shortcuts from before the menu opened: no other one is active while it is open.
  const shortcuts = useListedShortcuts();
  const [text, setText] = useState('');
  const navigate = useNavigate();

  const choose = (run: () => void) => {
    onClose();
    run();
  };

  return (
    <Command.Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      label="Command menu"
      overlayClassName="fixed inset-0 z-40 bg-black/40"
      contentClassName="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-2xl"
    >
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Type a command or search tickets"
        className="w-full border-b border-line bg-transparent px-4 py-3 text-base outline-none placeholder:text-muted"
      />
      <Command.List className="max-h-80 overflow-y-auto p-2">
        <Command.Empty className="px-3 py-6 text-center text-muted">No results</Command.Empty>
        {text.trim() !== '' && (
          <Command.Item
            forceMount
            value={`find ${text}`}
            className={item}
            onSelect={() => choose(() => void navigate({ to: '/tickets', search: { q: text.trim() } }))}
          >
            Search tickets for “{text.trim()}”
          </Command.Item>
        )}
        {[...Map.groupBy(shortcuts, ({ group }) => group)].map(([group, list]) => (
          <Command.Group
            key={group}
            heading={group}
            className="text-xs text-muted [&_[cmdk-item]]:text-sm [&_[cmdk-item]]:text-text"
          >
            {list
              .filter(({ keys }) => keys !== 'mod+k')
              .map(({ keys, label, run }) => (
                <Command.Item
                  key={keys}
                  value={`${group} ${label}`}
                  className={item}
                  onSelect={() => choose(run)}
                >
                  {label}
                  <Keys keys={keys} />
                </Command.Item>
              ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command.Dialog>
  );
}
