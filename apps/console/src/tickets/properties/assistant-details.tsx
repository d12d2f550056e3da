import type { TicketWithCan } from '@firmdesk/contract';
import { ChevronDown, Sparkles } from 'lucide-react';
import { Menu, MenuChoice } from '../../ui/overlays/menu.tsx';
import type { TicketActions } from '../use-ticket-actions.ts';
import { isEnded } from './ticket-labels.ts';

/** Whether the assistant answers the trader, with a menu for that and for the trader’s requests. */
export function AssistantDetails({ ticket, actions }: { ticket: TicketWithCan; actions: TicketActions }) {
  const { ai_enabled, ai_blocked, can } = ticket;
  const shown = (
    <>
      <Sparkles size={13} aria-hidden="true" /> {ai_enabled ? 'AI on' : 'AI off'}
    </>
  );
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2 px-4 py-2.5">
      {can.manage ? (
        <Menu
          label="Assistant"
          trigger={
            <button
              type="button"
              className="-ml-1.5 inline-flex min-h-7 items-center gap-1.5 rounded-md px-1.5 font-medium hover:bg-hover data-[state=open]:bg-hover"
            >
              {shown}
              <ChevronDown size={12} aria-hidden="true" className="text-muted" />
            </button>
          }
        >
          <MenuChoice
            isChosen={ai_enabled}
            isDisabled={ai_enabled ? !can.reply : !can.auto_reply}
            onSelect={() => actions.switchAssistant(!ai_enabled)}
          >
            Auto-reply
          </MenuChoice>
          <MenuChoice isChosen={!ai_blocked} onSelect={() => actions.blockAssistant(!ai_blocked)}>
            Trader can request AI
          </MenuChoice>
        </Menu>
      ) : (
        <span className="inline-flex min-h-7 items-center gap-1.5">{shown}</span>
      )}
      <span className="text-xs text-muted">{stateOf(ticket)}</span>
    </div>
  );
}

function stateOf({ status, ai_enabled, can }: TicketWithCan): string {
  if (isEnded(status)) return `The ticket is ${status}.`;
  if (ai_enabled) return 'On until a teammate replies.';
  return can.auto_reply ? 'Stays off once a teammate replies.' : 'Off: a teammate has replied.';
}
