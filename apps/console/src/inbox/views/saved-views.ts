import { asFirmdeskError, newIdempotencyKey } from '@firmdesk/client';
import type { TicketView, TicketViewSearch } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { client, queryClient, trpc } from '../../api.ts';
import { firm } from '../../session/firm.ts';
import { announce } from '../../shell/announcer.tsx';
import { reportError } from '../../shell/report-error.ts';
import { offerUndo } from '../../shell/undo.ts';
import { storedValue } from '../../stored-value.ts';
import { parseInboxSearch } from '../search/inbox-search.ts';

const NO_VIEWS: readonly TicketView[] = [];
/** Without the stream of their changes, views that somebody or another window has changed appear after this time. */
const REFETCH_MS = 60_000;
/** The service keeps the count of a view with words for this long. */
const RECOUNT_MS = 30_000;

/** Returns the views of the account and of its teams, in the account's order. */
export function useSavedViews(mayView = true): readonly TicketView[] {
  const options = { enabled: mayView, refetchInterval: REFETCH_MS };
  return useQuery(trpc.tickets.views.list.queryOptions(undefined, options)).data?.views ?? NO_VIEWS;
}

/** Loads the views again when another window, or a colleague, has changed some, until the returned function is called. */
export function followSavedViews(): () => void {
  // Without this stream the views are still loaded from time to time.
  const following = client.tickets.views.live.subscribe(
    {},
    { onData: () => void reloadViews(), onError() {} },
  );
  return () => following.unsubscribe();
}

/** Returns the number of tickets of each view, by its id. */
export function useViewCounts(): Readonly<Record<string, number | null>> {
  const options = { refetchInterval: RECOUNT_MS };
  return useQuery(trpc.tickets.views.counts.queryOptions(undefined, options)).data?.counts ?? {};
}

/** What a view is called, whom it is shared with, and what it lists. */
export type ViewFields = Pick<TicketView, 'name' | 'team' | 'search'>;

/** Saves a new view. Returns whether it was saved. */
export function createView(view: ViewFields): Promise<boolean> {
  return save(client.tickets.views.create.mutate(view, newCall()), 'Couldn’t save the view');
}

export function updateView(id: string, change: Partial<ViewFields>): Promise<boolean> {
  return save(client.tickets.views.update.mutate({ id, ...change }, newCall()), 'Couldn’t change the view');
}

/** Deletes a view. It can be saved again for some seconds, at its place. */
export async function deleteView({ id, name, team, search }: TicketView): Promise<void> {
  const order = shownViews().map((view) => view.id);
  show(shownViews().filter((view) => view.id !== id));
  if (!(await save(client.tickets.views.delete.mutate({ id }, newCall()), 'Couldn’t delete the view')))
    return;
  offerUndo(`View “${name}” deleted`, async () => {
    const isSaved = await save(
      client.tickets.views.create
        .mutate({ name, team, search }, newCall())
        .then((again) => orderViews(order.map((each) => (each === id ? again.id : each)))),
      'Couldn’t save the view',
    );
    return isSaved ? 'undone' : 'failed';
  });
}

/** Moves a view to a position in the side bar. */
export async function moveView(id: string, to: number): Promise<void> {
  const views = shownViews();
  const view = views.find((each) => each.id === id);
  const others = views.filter((each) => each !== view);
  const position = Math.max(0, Math.min(to, others.length));
  if (!view || views.indexOf(view) === position) return;
  const next = others.toSpliced(position, 0, view);
  show(next);
  announce(`${view.name}, ${position + 1} of ${next.length}`);
  await save(orderViews(next.map((each) => each.id)), 'Couldn’t move the view');
}

const orderViews = (views: string[]) => client.tickets.views.reorder.mutate({ views }, newCall());

/** Each call has a key of its own, with which the links repeat it. */
const newCall = () => ({ context: { idempotencyKey: newIdempotencyKey() } });

/** Waits for a change, then loads the views again. Reports a failure. Returns whether it succeeded. */
async function save(change: Promise<unknown>, failure: string): Promise<boolean> {
  let isSaved = true;
  try {
    await change;
  } catch (error) {
    isSaved = false;
    reportError(error, failure);
  }
  await reloadViews();
  return isSaved;
}

function shownViews(): readonly TicketView[] {
  return queryClient.getQueryData(trpc.tickets.views.list.queryKey())?.views ?? NO_VIEWS;
}

function show(views: readonly TicketView[]): void {
  const key = trpc.tickets.views.list.queryKey();
  void queryClient.cancelQueries({ queryKey: key });
  queryClient.setQueryData(key, { object: 'ticket_views', views: [...views] });
}

/** Moves the views that an earlier version stored in this browser to the account, once. */
export async function moveStoredViews(): Promise<void> {
  const stored = storedValue(`views.${firm}`, parseStoredViews);
  const views = stored.get();
  if (views.length === 0) return;
  for (const view of views) {
    try {
      await client.tickets.views.create.mutate({ ...view, team: null }, newCall());
    } catch (error) {
      // The account has a view of this name, or as many as it may have. Other failures are tried again when the inbox is opened next.
      if (asFirmdeskError(error).code !== 'validation_failed') break;
    }
    stored.set(stored.get().filter((each) => each.name !== view.name));
  }
  await reloadViews();
}

/** Loads the views again. A response that is under way may be older than the last change. */
async function reloadViews(): Promise<void> {
  const filter = trpc.tickets.views.pathFilter();
  await queryClient.cancelQueries(filter);
  await queryClient.invalidateQueries(filter);
}

function parseStoredViews(value: unknown): readonly { name: string; search: TicketViewSearch }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null || !('name' in each) || !('search' in each)) return [];
    const { name, search } = each;
    if (typeof name !== 'string' || typeof search !== 'object' || search === null) return [];
    return [{ name, search: parseInboxSearch(search as Record<string, unknown>) }];
  });
}
