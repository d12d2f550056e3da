import type { TicketWithCan } from '@firmdesk/contract';
import type { ReactNode } from 'react';
import { TraderData } from '../../traders/trader-data.tsx';
import { TraderMail } from '../../traders/trader-mail.tsx';
import { TraderProfile } from '../../traders/trader-profile.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { LinkedTickets } from '../links/linked-tickets.tsx';
import type { TicketActions } from '../use-ticket-actions.ts';
import { AssistantDetails } from './assistant-details.tsx';
import { OtherTickets } from './other-tickets.tsx';
import { TagsMenu } from './property-menus.tsx';

/** The trader, the tags of a ticket, the assistant, the trader's mail and other tickets, and the dates. */
export function TicketDetails({
  ticket,
  actions,
  tagsMenu,
}: {
  ticket: TicketWithCan;
  actions: TicketActions;
  tagsMenu: { isOpen: boolean; isFirst?: boolean; onOpenChange(isOpen: boolean): void };
}) {
  const { trader, created_at, closed_at, status } = ticket;
  return (
    <div className="divide-y divide-line text-sm">
      <Section title="Trader">
        <div className="flex items-center gap-2.5">
          <Avatar name={trader.name} url={trader.avatar_url} />
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">{trader.name}</p>
            {!trader.deleted && (
              <a
                href={`mailto:${trader.email}`}
                className="inline-flex items-center text-muted wrap-anywhere hover:underline max-md:min-h-11 pointer-coarse:min-h-11"
              >
                <span>
                  <Email address={trader.email} />
                </span>
              </a>
            )}
          </div>
        </div>
        {!trader.deleted && <TraderProfile trader={trader.id} />}
        {!trader.deleted && <TraderData trader={trader} />}
        {trader.deleted && (
          <p className="mt-2">
            <Badge tone="warning">Account deleted</Badge>
            <span className="mt-1 block text-muted">Replies no longer reach the trader.</span>
          </p>
        )}
      </Section>
      <Section title="Tags">
        <div className="-mx-1.5 -my-1">
          <TagsMenu ticket={ticket} actions={actions} {...tagsMenu} />
        </div>
      </Section>
      <section aria-label="Assistant">
        <AssistantDetails ticket={ticket} actions={actions} />
      </section>
      {ticket.links.length > 0 && (
        <Section title="Linked tickets">
          <LinkedTickets ticket={ticket} />
        </Section>
      )}
      {!trader.deleted && (
        <Section title="Mail">
          <TraderMail address={trader.email} />
        </Section>
      )}
      <Section title="Other tickets">
        <OtherTickets ticket={ticket} />
      </Section>
      <Section title="Dates">
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
          <dt className="text-muted">Opened</dt>
          <dd>
            <Timestamp at={created_at} />
          </dd>
          {closed_at && (
            <>
              <dt className="text-muted">{status === 'closed' ? 'Closed' : 'Resolved'}</dt>
              <dd>
                <Timestamp at={closed_at} />
              </dd>
            </>
          )}
        </dl>
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="p-4">
      <h2 className="mb-2 text-xs font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}

/** An address that is broken behind its @ where it does not fit. */
function Email({ address }: { address: string }) {
  const domain = address.lastIndexOf('@') + 1;
  return (
    <>
      {address.slice(0, domain)}
      <wbr />
      {address.slice(domain)}
    </>
  );
}
