import type { TicketWithCan } from '@firmdesk/contract';
import type { ComposerState } from '../tickets/composer/use-composer.ts';
import { MacroChanges } from './macro-changes.tsx';

/** The part of the composer for macros: what they change, and the picker while it is open. */
export function ComposerMacros({
  ticket,
  composer: { draft, write, macros },
  isReply,
}: {
  ticket: TicketWithCan;
  composer: ComposerState;
  isReply: boolean;
}) {
  const { Picker, insert, close } = macros;
  return (
    <>
      {isReply && draft.macros && (
        <MacroChanges macros={draft.macros} onChange={(next) => write({ macros: next })} />
      )}
      {Picker && <Picker ticket={ticket} hasActions={isReply} onInsert={insert} onClose={close} />}
    </>
  );
}
