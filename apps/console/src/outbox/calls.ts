import { newIdempotencyKey } from '@firmdesk/client';
import { useMemo } from 'react';
import { client, queryClient, trpc } from '../api.ts';
import { accountQuery } from '../session/account.ts';
import { putBackSla } from '../settings/sla/rejected-sla.ts';
import { reportError } from '../shell/report-error.ts';
import { toast } from '../shell/toast.ts';
import { putBackNewTicket } from '../tickets/create/new-ticket-draft.ts';
import { startTicket } from '../tickets/create/start-ticket.ts';
import { zoneName } from '../ui/time/time-zones.ts';
import { isUnreachable } from '../unreachable.ts';
import type { CallProcedure, UnsavedCall } from './entries.ts';
import { outbox, useUnsaved } from './outbox.ts';

interface Call {
  send(input: never, options: { context: { idempotencyKey: string } }): Promise<unknown>;
  /** Loads again what the call has changed. */
  refresh(): Promise<unknown>;
  failure: string;
  /** What is shown when it is saved, if the page does not show it. */
  success?(input: object): string;
  /** Keeps what was typed, when the call was rejected. */
  putBack?(input: object): void;
}

const events = () => queryClient.invalidateQueries(trpc.calendar.list.pathFilter());

const calls = {
  'calendar.create': {
    send: client.calendar.create.mutate,
    refresh: events,
    failure: 'Couldn’t create the event',
  },
  'calendar.change': {
    send: client.calendar.change.mutate,
    refresh: events,
    failure: 'Couldn’t change the event',
  },
  'calendar.delete': {
    send: client.calendar.delete.mutate,
    refresh: events,
    failure: 'Couldn’t delete the event',
  },
  'calendar.answer': {
    send: client.calendar.answer.mutate,
    refresh: events,
    failure: 'Couldn’t answer the invitation',
  },
  'calendar.remind': {
    send: client.calendar.remind.mutate,
    refresh: events,
    failure: 'Couldn’t change the reminder',
  },
  'notifications.changeSetting': {
    send: client.notifications.changeSetting.mutate,
    refresh: () => queryClient.invalidateQueries(trpc.notifications.settings.pathFilter()),
    failure: 'Couldn’t change the notification settings',
  },
  'tickets.updateAssistantSettings': {
    send: client.tickets.updateAssistantSettings.mutate,
    refresh: () => queryClient.invalidateQueries(trpc.tickets.assistantSettings.pathFilter()),
    failure: 'Couldn’t change the assistant settings',
  },
  'tickets.serviceTargets.set': {
    send: client.tickets.serviceTargets.set.mutate,
    refresh: () => queryClient.invalidateQueries(trpc.tickets.serviceTargets.get.pathFilter()),
    failure: 'Couldn’t change the SLA',
    success: () => 'SLA saved',
    putBack: putBackSla,
  },
  'tickets.start': {
    send: startTicket,
    refresh: () => queryClient.invalidateQueries(trpc.tickets.list.pathFilter()),
    failure: 'Couldn’t open the ticket',
    success: () => 'The ticket was opened',
    putBack: putBackNewTicket,
  },
  'account.setTimezone': {
    send: client.account.setTimezone.mutate,
    refresh: () => queryClient.invalidateQueries({ queryKey: accountQuery().queryKey }),
    failure: 'Couldn’t change the time zone',
    success: (input) => `Times are now shown in ${zoneName((input as { timezone: string }).timezone)}`,
  },
} satisfies Record<CallProcedure, Call>;

const callOf = (procedure: CallProcedure): Call => calls[procedure];

export function sendCall({ procedure, input, key }: Pick<UnsavedCall, 'procedure' | 'input' | 'key'>) {
  return callOf(procedure).send(input as never, { context: { idempotencyKey: key } });
}

type Send<Procedure extends CallProcedure> = (typeof calls)[Procedure]['send'];

/**
 * Makes a call now, so that the page can show the service's errors. If the service cannot be reached, the outbox keeps the call, and
 * the result is null.
 */
export async function callNowOrLater<Procedure extends CallProcedure>(
  procedure: Procedure,
  input: Parameters<Send<Procedure>>[0] & object,
): Promise<Awaited<ReturnType<Send<Procedure>>> | null> {
  const call = { procedure, input, key: newIdempotencyKey() };
  try {
    if (navigator.onLine) return (await sendCall(call)) as Awaited<ReturnType<Send<Procedure>>>;
  } catch (error) {
    if (!isUnreachable(error)) throw error;
  }
  outbox().add({ kind: 'call', ...call });
  return null;
}

/** Resolves when the page has loaded the change, so that it never shows the state before. */
export async function showCall({ procedure, input }: UnsavedCall): Promise<void> {
  const { refresh, success } = callOf(procedure);
  await refresh();
  if (success) toast.success(success(input));
}

export function reportRejectedCall({ procedure, input }: UnsavedCall, error: unknown): void {
  const { refresh, putBack, failure } = callOf(procedure);
  void refresh();
  putBack?.(input);
  const { title } = input as { title?: string };
  reportError(error, title ? `${failure} “${title}”` : failure);
}

/** Returns the inputs of the unconfirmed calls of a procedure, oldest first. */
export function useUnsavedInputs<Input extends object>(procedure: CallProcedure): readonly Input[] {
  const entries = useUnsaved();
  return useMemo(
    () =>
      entries.flatMap((entry) =>
        entry.kind === 'call' && entry.procedure === procedure ? [entry.input as Input] : [],
      ),
    [entries, procedure],
  );
}
