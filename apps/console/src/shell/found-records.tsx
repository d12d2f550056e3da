import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { trpc } from '../api.ts';
import { calendarsQuery } from '../calendar/calendars/calendars.ts';
import { hiddenCalendars } from '../calendar/calendars/hidden-calendars.ts';
import { dayOf } from '../calendar/views/days.ts';
import { wallClockMs } from '../calendar/wall-clock.ts';
import { useAccount, usePermission } from '../session/account.ts';
import { useStoredValue } from '../stored-value.ts';
import { ticketStatusLabels } from '../tickets/properties/ticket-labels.ts';
import { ticketsOf } from '../traders/tickets-of.ts';
import { useFoundTraders } from '../traders/use-found-traders.ts';
import { PickerGroup, PickerItem } from '../ui/overlays/picker.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { rankByName } from './rank-commands.ts';
import { rememberRecent } from './recent.ts';

const SHOWN = 5;

/** The calendars, tickets, people, mails and events that match the text. */
export function FoundRecords(props: { text: string; choose(run: () => void): void }) {
  const mayView = usePermission('view_tickets');
  return (
    <>
      <FoundCalendars {...props} />
      {mayView && <FoundTickets {...props} />}
      {mayView && <FoundPeople {...props} />}
      <FoundMail {...props} />
      <FoundEvents {...props} />
    </>
  );
}

interface FoundProps {
  text: string;
  choose(run: () => void): void;
}

/** What can be done with calendars from any page. */
function FoundCalendars({ text, choose }: FoundProps) {
  const navigate = useNavigate();
  const { data: calendars = [] } = useQuery(calendarsQuery());
  const hidden = useStoredValue(hiddenCalendars);
  const entries = calendars.flatMap(({ id, name }) => {
    const show = () => hiddenCalendars.set(hidden.filter((each) => each !== id));
    const hide = () => hiddenCalendars.set([...hidden, id]);
    const isHidden = hidden.includes(id);
    return [
      {
        id: `open calendar ${id}`,
        name: `Open calendar ${name}`,
        run: () => {
          if (isHidden) show();
          void navigate({ to: '/calendar' });
        },
      },
      {
        id: `toggle calendar ${id}`,
        name: `${isHidden ? 'Show' : 'Hide'} calendar ${name}`,
        run: isHidden ? show : hide,
      },
    ];
  });
  const create = {
    id: 'new calendar',
    name: 'New calendar',
    run: () => void navigate({ to: '/calendar', search: { create: true } }),
  };
  const found = rankByName([create, ...entries], text).slice(0, SHOWN);
  if (found.length === 0) return null;
  return (
    <PickerGroup heading="Calendars">
      {found.map(({ id, name, run }) => (
        <PickerItem key={id} id={id} onChoose={() => choose(run)}>
          <span className="min-w-0 truncate">{name}</span>
        </PickerItem>
      ))}
    </PickerGroup>
  );
}

function FoundTickets({ text, choose }: FoundProps) {
  const navigate = useNavigate();
  const q = useSettled(text);
  const { data } = useQuery({
    ...trpc.tickets.list.queryOptions({ q, limit: SHOWN }),
    enabled: q.length > 1,
  });
  const tickets = q === text ? (data?.data ?? []) : [];
  if (tickets.length === 0) return null;
  return (
    <PickerGroup heading="Tickets">
      {tickets.map(({ id, number, subject, trader, status }) => (
        <PickerItem
          key={id}
          id={id}
          onChoose={() => choose(() => void navigate({ to: '/tickets/$ticket', params: { ticket: id } }))}
        >
          <span className="shrink-0 text-xs text-muted tabular-nums">{number}</span>
          <span className="min-w-0 truncate">{subject}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-muted">{trader.name}</span>
          <span className="shrink-0 text-xs text-muted">{ticketStatusLabels[status].label}</span>
        </PickerItem>
      ))}
    </PickerGroup>
  );
}

/** Traders, whose tickets are listed. */
function FoundPeople({ text, choose }: FoundProps) {
  const navigate = useNavigate();
  const { id: userId } = useAccount().user;
  const people = useFoundTraders(text);
  if (people.length === 0) return null;
  return (
    <PickerGroup heading="People">
      {people.slice(0, SHOWN).map(({ id, name, email }) => (
        <PickerItem
          key={id}
          id={id}
          onChoose={() => {
            const page = { to: '/tickets', search: ticketsOf(email) } as const;
            rememberRecent(userId, { id, name, group: 'Person', ...page });
            choose(() => void navigate(page));
          }}
        >
          <span className="shrink-0">{name}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-muted">{email}</span>
          <span className="shrink-0 text-xs text-muted">Tickets</span>
        </PickerItem>
      ))}
    </PickerGroup>
  );
}

function FoundMail({ text, choose }: FoundProps) {
  const navigate = useNavigate();
  const q = useSettled(text);
  // A text with a mistake in an operator finds nothing here; the search of the mail page says what is wrong.
  const { data } = useQuery({
    ...trpc.mail.list.queryOptions({ q, limit: SHOWN }, { retry: false }),
    enabled: q.length > 1,
  });
  const mails = q === text ? (data?.data ?? []) : [];
  if (mails.length === 0) return null;
  return (
    <PickerGroup heading="Mail">
      {mails.map(({ id, subject, from, message_at }) => (
        <PickerItem
          key={id}
          id={id}
          onChoose={() => choose(() => void navigate({ to: '/mail', search: { message: id } }))}
        >
          <span className="min-w-0 truncate">{subject || 'No subject'}</span>
          <span className="min-w-0 flex-1 truncate text-xs text-muted">{from.name ?? from.email}</span>
          <span className="shrink-0 text-xs text-muted">
            <Timestamp at={message_at} />
          </span>
        </PickerItem>
      ))}
    </PickerGroup>
  );
}

function FoundEvents({ text, choose }: FoundProps) {
  const navigate = useNavigate();
  const { timezone } = useAccount().user;
  const q = useSettled(text);
  const { data } = useQuery({
    ...trpc.calendar.search.queryOptions({ q }, { retry: false }),
    enabled: q.length > 1,
  });
  const events = q === text ? (data?.data ?? []) : [];
  if (events.length === 0) return null;
  return (
    <PickerGroup heading="Events">
      {events.slice(0, SHOWN).map(({ id, title, starts_at, all_day, timezone: zone }) => (
        <PickerItem
          key={id}
          id={`event ${id}`}
          onChoose={() =>
            choose(() => {
              const day = dayOf(wallClockMs(starts_at, all_day ? zone : timezone));
              void navigate({ to: '/calendar', search: { view: 'day', day, event: id } });
            })
          }
        >
          <span className="min-w-0 flex-1 truncate">{title}</span>
          <span className="shrink-0 text-xs text-muted">
            <Timestamp at={starts_at} />
          </span>
        </PickerItem>
      ))}
    </PickerGroup>
  );
}
