import type { SeedRecordInput } from '../../schema.ts';

export type Ticket = SeedRecordInput<'tickets'>;
type Message = NonNullable<Ticket['messages']>[number];
type About = Omit<Ticket, 'key' | 'firm' | 'trader' | 'subject' | 'created_at' | 'messages'>;

/**
 * Returns a ticket with its messages, oldest first. It is created with the first message and, if it has ended, closed with
 * the last. Messages that the team has not answered are unread.
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

/** Marks messages before the team's last one as read, or all if the ticket has ended or awaits the trader. */
function withReadTimes(messages: Message[], status: Ticket['status']): Message[] {
  const lastOfTeam = messages.findLastIndex(({ from }) => from === 'admin');
  const waits = status === 'open' || status === 'awaiting_admin';
  return messages.map((message, index) => {
    const isToTeam = message.from === 'trader' || message.from === 'ai';
    const isRead = isToTeam && (index < lastOfTeam || !waits);
    return isRead ? { read_at: messages[index + 1]?.created_at ?? message.created_at, ...message } : message;
  });
}

/** A message of the trader; `age` is an ISO 8601 duration before now. */
export const said = (age: string, body: string, about: Partial<Message> = {}): Message => ({
  from: 'trader',
  body,
  created_at: `now-${age}`,
  ...about,
});

/** A reply of a team member. */
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

/** An internal note. */
export const noted = (age: string, author: string, body: string): Message =>
  replied(age, author, body, { internal: true });

/** A reply of the assistant, automatic or on a command. */
export const ai = (age: string, body: string): Message => ({ from: 'ai', body, created_at: `now-${age}` });

/** A command of the team to the assistant to write the next reply. */
export const commanded = (age: string, author: string, instruction: string): Message =>
  replied(age, author, `/ai ${instruction}`, { internal: true, event: 'ai_command' });

/** A failed command to the assistant, visible to the team only. */
export const commandFailed = (age: string, reason: string): Message => ({
  from: 'system',
  body: reason,
  internal: true,
  event: 'ai_command_failed',
  created_at: `now-${age}`,
});

/** A message of the service to both sides. */
export const announced = (age: string, body: string): Message => ({
  from: 'system',
  body,
  created_at: `now-${age}`,
});

export const byEmail = { via_email: true } satisfies Partial<Message>;
