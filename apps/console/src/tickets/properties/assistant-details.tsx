import type { TicketWithCan } from '@firmdesk/contract';
import { useStoredValue } from '../../stored-value.ts';
import { Switch } from '../../ui/switch.tsx';
import { streamedReplies } from '../conversation/streamed-replies.ts';
import type { TicketActions } from '../use-ticket-actions.ts';
import { isEnded } from './ticket-labels.ts';

/** Switches for auto-reply, for requests by the trader, and for streamed replies. */
export function AssistantDetails({ ticket, actions }: { ticket: TicketWithCan; actions: TicketActions }) {
  const isStreamed = useStoredValue(streamedReplies);
  const { ai_enabled, ai_blocked, can, status } = ticket;
  return (
    <div className="space-y-3">
      <Switch
        label="Auto-reply"
        hint={
          isEnded(status)
            ? `The ticket is ${status}.`
            : ai_enabled
              ? 'On until a teammate replies.'
              : can.auto_reply
                ? 'Stays off once a teammate replies.'
                : 'Off: a teammate has replied.'
        }
        isOn={ai_enabled}
        isDisabled={ai_enabled ? !can.reply : !can.auto_reply}
        onChange={actions.switchAssistant}
      />
      <Switch
        label="Trader can request AI"
        hint={
          ai_blocked ? 'Only the team can ask it for a reply.' : 'The trader can turn auto-reply back on.'
        }
        isOn={!ai_blocked}
        isDisabled={!can.manage}
        onChange={(mayCall) => actions.blockAssistant(!mayCall)}
      />
      <Switch
        label="Stream replies"
        hint="When off, replies appear once finished. Applies to this browser."
        isOn={isStreamed}
        onChange={(next) => streamedReplies.set(next)}
      />
    </div>
  );
}
