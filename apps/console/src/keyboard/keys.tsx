const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

const symbols: Record<string, string> = {
  mod: isApple ? '⌘' : 'Ctrl',
  Escape: 'Esc',
  Enter: '↵',
  alt: isApple ? '⌥' : 'Alt',
  shift: '⇧',
  ArrowLeft: '←',
  ArrowRight: '→',
};

/** Shows the keys of a shortcut. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex shrink-0 gap-1" aria-hidden="true">
      {keys
        .replace(/\b[A-Z]$/, 'shift+$&')
        .split(/[ +]/)
        .map((key) => (
          <kbd
            key={key}
            className="min-w-5 rounded border border-line bg-canvas px-1 text-center text-xs leading-5 text-muted"
          >
            {symbols[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
          </kbd>
        ))}
    </span>
  );
}
