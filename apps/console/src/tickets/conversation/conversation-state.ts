import type { TicketMessage, TicketStreamEvent } from '@firmdesk/contract';

/** A piece of a reply. `offset` is its position in UTF-16 units. */
interface Piece {
  offset: number;
  text: string;
}

/** A reply that is being streamed: its text without gaps, and pieces that arrived too early. */
interface StreamingText {
  text: string;
  early: readonly Piece[];
}

/** How many early pieces are kept. The final message contains the whole text anyway. */
const MAX_EARLY = 200;

/** The messages of a conversation, independent of the order of events. */
export interface ConversationState {
  messages: ReadonlyMap<string, TicketMessage>;
  streaming: ReadonlyMap<string, StreamingText>;
  /** What was known when the messages had to be fetched again: some of it may not exist any more. */
  doubtful: ReadonlyMap<string, TicketMessage>;
}

export const emptyConversation: ConversationState = {
  messages: new Map(),
  streaming: new Map(),
  doubtful: new Map(),
};

/**
 * Returns the state after an event of the ticket's stream. Duplicate and late events change nothing. `refetched`: the messages were fetched since
 * the last `resync`.
 */
export function withEvent(
  state: ConversationState,
  event: TicketStreamEvent | { type: 'refetched' },
): ConversationState {
  switch (event.type) {
    case 'message.created':
    case 'message.updated':
      return withMessages(state, [event.message]);
    case 'snapshot':
      // The snapshot replaces the text: a reset may have been missed.
      return withText(state, event.message_id, (was) => joinPieces({ text: event.text, early: was.early }));
    case 'text_reset':
      return withText(state, event.message_id, () => ({ text: '', early: [] }));
    case 'text_delta':
      return withText(state, event.message_id, ({ text, early }) =>
        joinPieces({ text, early: [...early, event].slice(-MAX_EARLY) }),
      );
    case 'resync':
      return { ...state, doubtful: state.messages };
    case 'refetched': {
      const known = [...state.messages].filter(([id, message]) => state.doubtful.get(id) !== message);
      return { ...state, messages: new Map(known), doubtful: new Map() };
    }
    case 'ticket.updated':
      return state;
  }
}

/** Returns the state with messages added or updated. A final message is not overwritten by a streaming one. */
export function withMessages(
  state: ConversationState,
  messages: readonly TicketMessage[],
): ConversationState {
  const known = new Map(state.messages);
  const streaming = new Map(state.streaming);
  for (const message of messages) {
    if (message.streaming && known.get(message.id)?.streaming === false) continue;
    known.set(message.id, message);
    if (!message.streaming) streaming.delete(message.id);
  }
  return { ...state, messages: known, streaming };
}

/** Returns the messages, oldest first. A streaming reply has its text so far. */
export function messagesIn({ messages, streaming }: ConversationState): TicketMessage[] {
  return [...messages.values()]
    .sort((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id))
    .map((message) =>
      message.streaming ? { ...message, body: streaming.get(message.id)?.text ?? message.body } : message,
    );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withText(
  state: ConversationState,
  id: string,
  write: (was: StreamingText) => StreamingText,
): ConversationState {
  if (state.messages.get(id)?.streaming === false) return state;
  const was = state.streaming.get(id) ?? { text: '', early: [] };
  return { ...state, streaming: new Map(state.streaming).set(id, write(was)) };
}

/** Appends every piece that connects to the text, without the part that is already there. */
function joinPieces({ text, early }: StreamingText): StreamingText {
  let whole = text;
  const waiting: Piece[] = [];
  for (const piece of [...early].sort((a, b) => a.offset - b.offset)) {
    if (piece.offset > whole.length) waiting.push(piece);
    else whole += piece.text.slice(whole.length - piece.offset);
  }
  return { text: whole, early: waiting };
}
