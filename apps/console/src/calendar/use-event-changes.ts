import type { CalendarEvent, DeleteEventInput, EventWindow } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { client, trpc } from '../api.ts';
import { reportError } from '../shell/report-error.ts';

/** Changes the cached event lists optimistically. `change` resolves with a function that rolls back. */
function useEventLists() {
  const queries = useQueryClient();
  const lists = trpc.calendar.list.pathFilter();
  return {
    refresh: () => queries.invalidateQueries(trpc.calendar.pathFilter()),
    async change(change: (events: CalendarEvent[]) => CalendarEvent[]) {
      await queries.cancelQueries(lists);
      const before = queries.getQueriesData<EventWindow>(lists);
      queries.setQueriesData<EventWindow>(lists, (list) => list && { ...list, data: change(list.data) });
      return () => {
        for (const [key, data] of before) queries.setQueryData(key, data);
      };
    },
  };
}

/** Answers an invitation. A declined one leaves the calendar. */
export function useAnswer() {
  const { change, refresh } = useEventLists();
  return useMutation({
    mutationFn: (input: { id: number; response: 'accepted' | 'tentative' | 'declined' }) =>
      client.calendar.answer.mutate(input),
    onMutate: ({ id, response }) =>
      change((events) =>
        response === 'declined'
          ? events.filter((event) => event.id !== id)
          : events.map((event) => (event.id === id ? { ...event, status: 'confirmed' } : event)),
      ),
    onError(error, _input, undo) {
      undo?.();
      reportError(error, 'Couldn’t answer the invitation');
    },
    onSettled: refresh,
  });
}

/** Deletes one occurrence of an event, that and all following ones, or the whole event. */
export function useDeleteEvent() {
  const { change, refresh } = useEventLists();
  return useMutation({
    mutationFn: (input: DeleteEventInput) => client.calendar.delete.mutate(input),
    onMutate: ({ id, occurrence_start, extent }) =>
      change((events) =>
        events.filter((event) => {
          if (event.id !== id) return true;
          if (extent === 'all' || occurrence_start === null) return false;
          const recurrenceId = event.occurrence_start ?? '';
          return extent === 'this' ? recurrenceId !== occurrence_start : recurrenceId < occurrence_start;
        }),
      ),
    onSuccess: () => toast.success('Event deleted'),
    onError(error, _input, undo) {
      undo?.();
      reportError(error, 'Couldn’t delete the event');
    },
    onSettled: refresh,
  });
}
