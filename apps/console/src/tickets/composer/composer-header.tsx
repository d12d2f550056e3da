import type { TicketWithCan } from '@firmdesk/contract';
import { Lock, Reply, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { DraftButton } from '../../assistant-draft/draft-button.tsx';
import type { AssistantDraftState } from '../../assistant-draft/use-assistant-draft.ts';
import { classNames } from '../../ui/class-names.ts';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { isEnded } from '../properties/ticket-labels.ts';
import { assistantProblem } from '../sending/send-problem.ts';
import type { ComposerMode } from './reply-drafts.ts';

/** Chooses between reply, internal note and asking the assistant. */
export function ComposerHeader({
  ticket,
  mode,
  onMode,
  isCommand,
  onAskAssistant,
  assistantDraft,
}: {
  ticket: TicketWithCan;
  mode: ComposerMode;
  onMode(mode: ComposerMode): void;
  isCommand: boolean;
  onAskAssistant(): void;
  assistantDraft: AssistantDraftState;
}) {
  return (
    <div className="flex flex-wrap items-center gap-1 px-1.5 pt-1.5">
      <fieldset aria-label="Message type" className="flex gap-1">
        {ticket.can.reply && (
          <Mode isOn={mode === 'reply'} onChoose={() => onMode('reply')} keys="r" icon={<Reply size={13} />}>
            Reply
          </Mode>
        )}
        <Mode isOn={mode === 'note'} onChoose={() => onMode('note')} keys="n" icon={<Lock size={12} />}>
          Internal note
        </Mode>
      </fieldset>
      <div className="ml-auto flex flex-wrap items-center gap-1">
        <DraftButton ticket={ticket} assistantDraft={assistantDraft} />
        {ticket.can.ai ? (
          <Tooltip label="The assistant writes the next reply" keys="mod+j">
            <button
              type="button"
              onClick={onAskAssistant}
              aria-pressed={isCommand}
              className={classNames(
                tab,
                isCommand ? 'text-ai-text' : 'text-muted hover:bg-hover hover:text-text',
              )}
            >
              <Sparkles size={13} aria-hidden="true" className="@max-lg:hidden" />
              Ask the assistant
            </button>
          </Tooltip>
        ) : (
          !isEnded(ticket.status) && <p className="px-1.5 text-xs text-muted">{assistantProblem(ticket)}</p>
        )}
      </div>
    </div>
  );
}

const tab = 'inline-flex h-7 items-center gap-1.5 rounded-md px-2 font-medium';

function Mode({
  isOn,
  onChoose,
  keys,
  icon,
  children,
}: {
  isOn: boolean;
  onChoose(): void;
  keys: string;
  icon: ReactNode;
  children: string;
}) {
  return (
    <Tooltip label={children === 'Reply' ? 'Sent to the trader' : 'Visible to the team only'} keys={keys}>
      <button
        type="button"
        aria-pressed={isOn}
        onClick={onChoose}
        className={classNames(
          tab,
          isOn ? 'bg-text/8 text-text' : 'text-muted hover:bg-hover hover:text-text',
        )}
      >
        <span aria-hidden="true">{icon}</span>
        {children}
      </button>
    </Tooltip>
  );
}
