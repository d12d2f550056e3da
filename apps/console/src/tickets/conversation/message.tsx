import type { TicketMessage, TicketWithCan } from '@firmdesk/contract';
import { CircleAlert, Lock, Mail, Settings2, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { MessageFiles } from '../../attachments/message-files.tsx';
import { useTimeZone } from '../../session/account.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatMoment } from '../../ui/time/time.ts';
import { TimeOfDay } from '../../ui/time/timestamp.tsx';
import { useSupportDirectory } from '../properties/use-support-directory.ts';
import { BasedOn } from './based-on.tsx';
import { kindOf, type MessageKind } from './message-kind.ts';
import { StreamingReply } from './streaming-reply.tsx';
import { MailText } from './text/mail-text.tsx';
import { MessageImage } from './text/message-image.tsx';
import { MessageText } from './text/message-text.tsx';

const looks: Record<MessageKind, string> = {
  trader: 'mr-[12%] border-line bg-surface',
  team: 'ml-[12%] border-transparent bg-selected',
  assistant: 'ml-[12%] border-ai-line bg-ai',
  note: 'border-dashed border-note-line bg-note',
  command: 'border-dashed border-note-line bg-note',
  failure: 'border-danger/40 bg-danger-surface',
  system: 'border-transparent bg-hover',
};

const messageKindLabels: Partial<Record<MessageKind, { icon: ReactNode; label: string; className: string }>> =
  {
    note: {
      icon: <Lock size={12} />,
      label: 'Internal note',
      className: 'text-note-text',
    },
    command: {
      icon: <Sparkles size={12} />,
      label: 'Asked the assistant',
      className: 'text-note-text',
    },
    failure: {
      icon: <CircleAlert size={12} />,
      label: 'No reply was sent',
      className: 'text-danger',
    },
    assistant: {
      icon: <Sparkles size={12} />,
      label: 'Assistant',
      className: 'text-ai-text',
    },
  };

/**
 * @param props.continues whether the author is shown above the message before it
 * @param props.command what the reply that is being written can be undone with
 */
export function Message({
  message,
  ticket,
  command,
  continues = false,
}: {
  message: TicketMessage;
  ticket: TicketWithCan;
  command?: TicketMessage | undefined;
  continues?: boolean;
}) {
  const kind = kindOf(message);
  const zone = useTimeZone();
  const agents = useSupportDirectory()?.agents ?? [];
  const mentioned = message.mentions ? agents.filter(({ id }) => message.mentions!.includes(id)) : [];
  const { author, body, body_html, created_at, image_url, image_name, attachments, via_email, streaming } =
    message;
  return (
    <article
      aria-label={`${kind === 'assistant' ? '' : `${messageKindLabels[kind]?.label ?? 'Message'}, `}${author}, ${formatMoment(new Date(created_at), new Date(), zone)}`}
      aria-busy={streaming}
      data-kind={kind}
      className={classNames('rounded-lg border px-3.5 py-2.5', looks[kind])}
    >
      <header
        className={classNames(
          'mb-1 flex flex-wrap items-center gap-x-2 gap-y-0.5',
          continues && 'float-right mb-0 ml-2',
        )}
      >
        {!continues && <Sender message={message} kind={kind} ticket={ticket} />}
        {via_email && !continues && (
          <span className="inline-flex items-center gap-1 text-xs text-muted">
            <Mail size={12} aria-hidden="true" /> by email
          </span>
        )}
        <TimeOfDay at={created_at} className="ml-auto text-xs text-muted" />
      </header>
      {streaming ? (
        <StreamingReply message={message} ticket={ticket} command={command} />
      ) : (
        body !== '' &&
        (via_email ? (
          <MailText text={body} />
        ) : (
          <MessageText text={body} html={body_html} mentioned={mentioned} />
        ))
      )}
      {kind === 'assistant' && !streaming && <BasedOn message={message} />}
      <MessageFiles files={attachments} />
      {image_url && <MessageImage url={image_url} name={image_name} author={author} />}
    </article>
  );
}

function Sender({
  message,
  kind,
  ticket,
}: {
  message: TicketMessage;
  kind: MessageKind;
  ticket: TicketWithCan;
}) {
  const kindLabel = messageKindLabels[kind];
  const picture = usePicture(message, ticket);
  const isPerson = kind !== 'assistant' && message.from !== 'system';
  return (
    <>
      {isPerson && <Avatar name={message.author} url={picture} size="small" />}
      {kind === 'system' && <Settings2 size={13} aria-hidden="true" className="text-muted" />}
      {(isPerson || kind === 'system') && <span className="font-semibold">{message.author}</span>}
      {kindLabel && (
        <span
          className={classNames('inline-flex items-center gap-1 text-xs font-medium', kindLabel.className)}
        >
          <span aria-hidden="true">{kindLabel.icon}</span>
          {kindLabel.label}
        </span>
      )}
    </>
  );
}

/** Returns the picture of the author. A message has only a name, so an agent is found if the name is unique. */
function usePicture({ from, author }: TicketMessage, { trader }: TicketWithCan): string | null {
  const namesakes = useSupportDirectory()?.agents.filter(({ name }) => name === author) ?? [];
  if (from === 'trader') return trader.avatar_url;
  return namesakes.length === 1 ? namesakes[0]!.avatar_url : null;
}
