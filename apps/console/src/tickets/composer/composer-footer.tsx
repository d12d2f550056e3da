import { ChevronDown, ImagePlus, TextQuote, Type } from 'lucide-react';
import type { ReactNode } from 'react';
import { Keys } from '../../keyboard/keys.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { LOCALE } from '../../ui/time/time.ts';
import { instructionOf, lengthOf } from './assistant-command.ts';
import type { ComposerMode } from './reply-drafts.ts';

/** The length is shown above this share of the limit. */
const NEAR_LIMIT = 0.9;
const count = new Intl.NumberFormat(LOCALE);

export function ComposerFooter({
  text,
  mode,
  problem,
  progress,
  isSendable,
  isRetry,
  onSend,
  onSendAndResolve,
  onSendAndNext,
  attach,
  onMacro,
  onImage,
  onFormat,
}: {
  text: string;
  mode: ComposerMode;
  problem: string | null;
  /** Why the message cannot be sent yet. */
  progress: string | null;
  isSendable: boolean;
  isRetry: boolean;
  onSend(): void;
  onSendAndResolve?: () => void;
  onSendAndNext(): void;
  /** The button that attaches files. */
  attach: ReactNode;
  onMacro(): void;
  onImage?: () => void;
  /** Shows and hides the buttons that format the text. */
  onFormat?: () => void;
}) {
  const { length, limit } = lengthOf(text);
  const isNear = length > limit * NEAR_LIMIT;
  const action =
    instructionOf(text) !== null ? 'Ask the assistant' : mode === 'note' ? 'Add internal note' : 'Send reply';
  return (
    <footer className="flex items-center gap-2 px-2 pb-2 max-sm:gap-0.5">
      {attach}
      <IconButton icon={TextQuote} label="Insert a macro" keys="mod+;" onClick={onMacro} />
      {onImage && <IconButton icon={ImagePlus} label="Add an image by its URL" onClick={onImage} />}
      {onFormat && <IconButton icon={Type} label="Formatting" onClick={onFormat} />}
      <p
        id="composer-problem"
        className={classNames('min-w-0 flex-1 px-1 text-xs', problem ? 'text-danger' : 'text-muted')}
      >
        {problem ?? progress}
        {isNear && ` ${count.format(length)} of ${count.format(limit)} characters`}
      </p>
      <span className="hidden md:inline">
        <Keys keys="mod+Enter" />
      </span>
      <span className="flex">
        <Button variant="solid" className="rounded-r-none" disabled={!isSendable} onClick={onSend}>
          {isRetry ? `Try again: ${action.toLowerCase()}` : action}
        </Button>
        <Menu
          label="Send and…"
          align="end"
          trigger={
            <Button
              variant="solid"
              aria-label="Send and…"
              className="rounded-l-none border-l-on-accent/40 px-1.5"
              disabled={!isSendable}
            >
              <ChevronDown size={15} aria-hidden="true" />
            </Button>
          }
        >
          {onSendAndResolve && (
            <MenuItem keys="mod+shift+Enter" onSelect={onSendAndResolve}>
              Send and resolve
            </MenuItem>
          )}
          <MenuItem keys="mod+alt+Enter" onSelect={onSendAndNext}>
            Send and open the next ticket
          </MenuItem>
        </Menu>
      </span>
    </footer>
  );
}
