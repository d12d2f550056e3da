import type { TicketWithCan } from '@firmdesk/contract';
import { useStoredValue } from '../stored-value.ts';
import { Switch } from '../ui/switch.tsx';
import { streamedReplies } from './streamed-replies.ts';
import { isEnded } from './ticket-labels.ts';
import type { TicketActions } from './use-ticket-actions.ts';

/** Whether the assistant answers the trader by itself, whether they may call it, and how its replies are shown. */
export function AssistantDetails({ ticket, actions }: { ticket: TicketWithCan; actions: TicketActions }) {
  const isStreamed = useStoredValue(streamedReplies);
  const { ai_enabled, ai_blocked, can, status } = ticket;
  return (
    <div className="space-y-3">
      <Switch
        label="Answers the trader"
        hint={
          isEnded(status)
            ? 'The ticket has ended.'
            : ai_enabled
              ? 'Until somebody of the team replies.'
              : 'Off: the team answers, and once it has, for good.'
        }
        isOn={ai_enabled}
        isDisabled={!can.reply}
        onChange={actions.switchAssistant}
      />
      <Switch
        label="Trader may call it"
        hint={ai_blocked ? 'Blocked: only the team can ask it.' : 'The trader can call it back in.'}
        isOn={!ai_blocked}
        isDisabled={!can.manage}
        onChange={(mayCall) => actions.blockAssistant(!mayCall)}
      />
      <Switch
        label="Show replies as written"
        hint="Off: once they are finished. For this browser."
        isOn={isStreamed}
        onChange={(next) => streamedReplies.set(next)}
      />
    </div>
  );
}
