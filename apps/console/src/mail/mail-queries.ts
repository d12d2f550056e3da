import type { MailView, OpenMailMessage } from '@firmdesk/contract';
import { client, trpc } from '../api.ts';
import { pagedQuery } from '../paged-query.ts';

const PAGE = 50;

/** Access to a mailbox can be given and taken without an event. */
const ACCESS_MS = 60_000;

export const mailboxesQuery = () =>
  trpc.mail.mailboxes.queryOptions(undefined, { refetchInterval: ACCESS_MS });

/** What a list of conversations shows. */
export interface ListedMail {
  address_id: number;
  view: MailView;
  tag?: number;
  unread?: true;
}

/** The conversations of a view of a mailbox, newest first. */
export const threadsQuery = (input: ListedMail) =>
  pagedQuery([...trpc.mail.threads.list.pathKey(), input], (from, options) =>
    client.mail.threads.list.query({ ...input, limit: PAGE, ...from }, options),
  );

/** The messages of all folders and mailboxes that match a search, newest first. */
export const foundQuery = (q: string) =>
  pagedQuery([...trpc.mail.list.pathKey(), { q }], (from, options) =>
    client.mail.list.query({ q, limit: PAGE, ...from }, options),
  );

/** The conversation of a message. */
export const threadQuery = (id: string) => trpc.mail.threads.get.queryOptions({ id });

/** The tags of the firm, which change rarely. */
export const tagsQuery = () => trpc.mail.threads.tags.queryOptions(undefined, { staleTime: 60_000 });

/** Saves of a draft are not published, because clients save while the author types. */
const DRAFT_MS = 5_000;

/** A message. One that changes without an event is read again: a draft, and a message that is being sent. */
export const messageQuery = (id: string) =>
  trpc.mail.get.queryOptions(
    { id },
    // Not cached: a save of a draft names the version that was loaded.
    { gcTime: 0, refetchInterval: ({ state }) => isUnsettled(state.data) && DRAFT_MS },
  );

function isUnsettled(message: OpenMailMessage | undefined): boolean {
  return message?.folder === 'drafts' || message?.delivery?.state === 'queued';
}
