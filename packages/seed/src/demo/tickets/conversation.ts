import type { SeedRecordInput } from '../../schema.ts';

export type Ticket = SeedRecordInput<'tickets'>;
type Message = NonNullable<Ticket['messages']>[number];
type About = Omit<Ticket, 'key' | 'firm' | 'trader' | 'subject' | 'created_at' | 'messages'>;

/**
 * A ticket with its messages, oldest first. It begins with the first message and, when it has ended, closes with the last.
 * What the team has not answered yet counts as unread.
 */
export function ticket(
  key: string,
  trader: string,
  subject: string,
  about: About,
  ...messages: Message[]
): Ticket {
  const first = messages[0];
  const last = messages.at(-1);
  if (!first || !last) throw new Error(`The ticket "${key}" has no messages`);
  const ended = about.status === 'resolved' || about.status === 'closed';
  return {
    key,
    firm: 'northgate',
    trader,
    subject,
    ai_enabled: !messages.some(({ from, internal }) => from === 'admin' && !internal),
    created_at: first.created_at,
    ...(ended ? { closed_at: last.created_at } : {}),
    ...about,
    messages: withReadTimes(messages, about.status),
  };
}

/** Somebody read what came before the team's last message; of an ended ticket or one that awaits the trader, all of it. */
function withReadTimes(messages: Message[], status: Ticket['status']): Message[] {
  const lastOfTeam = messages.findLastIndex(({ from }) => from === 'admin');
  const waits = status === 'open' || status === 'awaiting_admin';
  return messages.map((message, index) => {
    const isToTeam = message.from === 'trader' || message.from === 'ai';
    const isRead = isToTeam && (index < lastOfTeam || !waits);
    return isRead ? { read_at: messages[index + 1]?.created_at ?? message.created_at, ...message } : message;
  });
}

/** The trader writes; `age` is how long ago. */
export const said = (age: string, body: string, about: Partial<Message> = {}): Message => ({
  from: 'trader',
  body,
  created_at: `now-${age}`,
  ...about,
});

/** A member of the team answers the trader. */
export const replied = (
  age: string,
  author: string,
  body: string,
  about: Partial<Message> = {},
): Message => ({
  from: 'admin',
  author,
  body,
  created_at: `now-${age}`,
  ...about,
});

/** A note that the team alone sees. */
export const noted = (age: string, author: string, body: string): Message =>
  replied(age, author, body, { internal: true });

/** The assistant answers, by itself or as it was told. */
export const ai = (age: string, body: string): Message => ({ from: 'ai', body, created_at: `now-${age}` });

/** The team asks the assistant to write the next answer. */
export const commanded = (age: string, author: string, instruction: string): Message =>
  replied(age, author, `/ai ${instruction}`, { internal: true, event: 'ai_command' });

/** The assistant could not do as it was told; the trader saw nothing of it. */
export const commandFailed = (age: string, reason: string): Message => ({
  from: 'system',
  body: reason,
  internal: true,
  event: 'ai_command_failed',
  created_at: `now-${age}`,
});

/** What the service itself tells both sides. */
export const announced = (age: string, body: string): Message => ({
  from: 'system',
  body,
  created_at: `now-${age}`,
});

export const byEmail = { via_email: true } satisfies Partial<Message>;
