import type { TicketWithCan } from '@firmdesk/contract';
import { PenLine, Square } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Tooltip } from '../ui/overlays/tooltip.tsx';
import type { AssistantDraftState } from './use-assistant-draft.ts';

const button =
  'inline-flex h-7 items-center gap-1.5 rounded-md px-2 font-medium hover:bg-hover hover:text-text pointer-coarse:h-11';

/** Lets the assistant write a draft, or stops it. */
export function DraftButton({
  ticket: { can },
  assistantDraft: { isWriting, isAsking, begin, stop, answer },
}: {
  ticket: TicketWithCan;
  assistantDraft: AssistantDraftState;
}) {
  if (isWriting)
    return (
      <Tooltip label="What is written stays" keys="mod+.">
        <button type="button" onClick={stop} className={classNames(button, 'text-ai-text')}>
          <Square size={12} aria-hidden="true" />
          Stop drafting
        </button>
      </Tooltip>
    );
  if (!can.ai || !can.reply) return null;
  return (
    <>
      <Tooltip label="The assistant writes here; you edit and send" keys="d">
        <button type="button" onClick={begin} className={classNames(button, 'text-muted')}>
          <PenLine size={13} aria-hidden="true" className="@max-lg:hidden" />
          Draft for me
        </button>
      </Tooltip>
      <Dialog
        title="Keep your text?"
        description="The reply already has text. The assistant can write below it, or replace it."
        isOpen={isAsking}
        onClose={() => answer(null)}
      >
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => answer(null)}>Cancel</Button>
          <Button variant="danger" onClick={() => answer('replace')}>
            Replace my text
          </Button>
          <Button variant="solid" data-initial-focus onClick={() => answer('below')}>
            Write below it
          </Button>
        </div>
      </Dialog>
    </>
  );
}
