import type { CalendarEvent } from '@firmdesk/contract';
import {
  AlignLeft,
  Bell,
  CalendarDays,
  Clock,
  Download,
  MapPin,
  Pencil,
  Repeat,
  Tag,
  Users,
  Video,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { outbox } from '../../outbox/outbox.ts';
import { useAccount } from '../../session/account.ts';
import { rememberRecent } from '../../shell/recent.ts';
import { TagBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { NotSaved } from '../../ui/overlays/not-saved.tsx';
import { useCalendars } from '../calendars/calendars.ts';
import { describeRecurrence, upperFirst } from '../recurrence/describe-recurrence.ts';
import { dayOf } from '../views/days.ts';
import { wallClockMs } from '../wall-clock.ts';
import { DeleteEvent } from './delete-event.tsx';
import { downloadEvent } from './download-event.ts';
import { answerInvitation } from './event-changes.ts';
import { formatEventTime, isBusyBlock, timeZoneLabel } from './event-format.ts';
import { ReminderField } from './reminder-field.tsx';
import { responses } from './responses.ts';
import type { ShownEvent } from './unsaved-events.ts';

const answers = [
  ['accepted', 'Accept'],
  ['tentative', 'Maybe'],
  ['declined', 'Decline'],
] as const;

/** The details of an occurrence, with its actions. */
export function EventDetails({
  event,
  onClose,
  onEdit,
}: {
  event: ShownEvent;
  onClose(): void;
  onEdit(): void;
}) {
  const { timezone } = useAccount().user;
  const { byId } = useCalendars();
  const { conference, tags, recurrence_rule, location, description } = event;
  useRemembered(event);
  return (
    <>
      <h3 className="mb-2 text-base font-semibold [overflow-wrap:anywhere]">{event.title}</h3>
      {event.unsaved && (
        <p className="mb-2 flex items-center gap-2">
          <NotSaved className="flex-1" />
          <Button onClick={async () => (await outbox().take(event.unsaved!)) && onClose()}>
            Discard change
          </Button>
        </p>
      )}
      {event.status === 'pending' && event.can_write && <Answers event={event} onClose={onClose} />}
      <ul className="space-y-1.5">
        <Fact icon={<Clock size={15} />}>
          {formatEventTime(event, timezone)}
          {event.timezone !== timezone && !event.all_day && (
            <span className="block text-muted">
              {formatEventTime(event, event.timezone)} ({timeZoneLabel(event.timezone)})
            </span>
          )}
        </Fact>
        {event.is_recurring && (
          <Fact icon={<Repeat size={15} />}>
            {recurrence_rule
              ? (upperFirst(describeRecurrence(recurrence_rule)) ?? (
                  <code className="text-xs">{recurrence_rule}</code>
                ))
              : 'Repeats'}
          </Fact>
        )}
        <Fact icon={<CalendarDays size={15} />}>
          {byId.get(event.calendar_id)?.calendar.name ?? 'Calendar'}
        </Fact>
        {location && <Fact icon={<MapPin size={15} />}>{location}</Fact>}
        {conference.url && (
          <Fact icon={<Video size={15} />}>
            {isWebUrl(conference.url) ? (
              <a
                href={conference.url}
                target="_blank"
                rel="noopener noreferrer"
                className="text-accent underline [overflow-wrap:anywhere]"
              >
                Join{conference.provider && ` in ${conference.provider.replaceAll('_', ' ')}`}
              </a>
            ) : (
              conference.url
            )}
            {conference.meeting_id && (
              <span className="block text-muted">Meeting {conference.meeting_id}</span>
            )}
            {conference.passcode && <span className="block text-muted">Passcode {conference.passcode}</span>}
          </Fact>
        )}
        {event.attendees.length > 0 && (
          <Fact icon={<Users size={15} />}>
            <ul className="max-h-40 overflow-y-auto">
              {event.attendees.map(({ name, email, response, is_organizer, is_optional }) => (
                <li key={email}>
                  {name ?? email}{' '}
                  <span className="text-muted">
                    {[is_organizer && 'Organizer', responses[response] ?? response, is_optional && 'Optional']
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {!isBusyBlock(event) && event.id > 0 && (
          <Fact icon={<Bell size={15} />}>
            <ReminderField event={event} />
          </Fact>
        )}
        {description && (
          <Fact icon={<AlignLeft size={15} />}>
            <span className="paragraphs block max-h-48 overflow-y-auto [overflow-wrap:anywhere]">
              {description}
            </span>
          </Fact>
        )}
        {tags.length > 0 && (
          <Fact icon={<Tag size={15} />}>
            <span className="flex flex-wrap gap-1">
              {tags.map(({ id, name, color }) => (
                <TagBadge key={id} name={name} color={color} />
              ))}
            </span>
          </Fact>
        )}
      </ul>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        {!isBusyBlock(event) && event.id > 0 && (
          <Button variant="quiet" onClick={() => void downloadEvent(event)}>
            <Download size={14} aria-hidden="true" />
            Download
          </Button>
        )}
        {event.can_write && (
          <>
            <DeleteEvent event={event} onDeleted={onClose} />
            <Button
              onClick={() => {
                onClose();
                onEdit();
              }}
            >
              <Pencil size={14} aria-hidden="true" />
              Edit
            </Button>
          </>
        )}
      </div>
    </>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-2.5">
      <span aria-hidden="true" className="mt-0.5 shrink-0 text-muted">
        {icon}
      </span>
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  );
}

function Answers({ event, onClose }: { event: CalendarEvent; onClose(): void }) {
  return (
    <div className="mb-3 rounded-md bg-canvas p-3">
      <p className="mb-2">You are invited{event.organizer.name && ` by ${event.organizer.name}`}. Going?</p>
      <div className="flex gap-2">
        {answers.map(([response, label]) => (
          <Button
            key={response}
            variant={response === 'accepted' ? 'solid' : 'plain'}
            onClick={() => {
              answerInvitation({ id: event.id, response });
              onClose();
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Returns whether a text is a web URL. Imported events can have any text as their conference URL. */
function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Keeps it among what was opened last. */
function useRemembered(event: ShownEvent): void {
  const { id: userId, timezone } = useAccount().user;
  const { id, title, unsaved } = event;
  const day = dayOf(wallClockMs(event.starts_at, event.all_day ? event.timezone : timezone));
  const isKept = !unsaved && !isBusyBlock(event);
  useEffect(() => {
    if (isKept)
      rememberRecent(userId, {
        id: `event ${id}`,
        name: title,
        group: 'Event',
        to: '/calendar',
        search: { view: 'day', day, event: id },
      });
  }, [isKept, userId, id, title, day]);
}
