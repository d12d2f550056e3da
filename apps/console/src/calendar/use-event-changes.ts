import type { CalendarEvent, DeleteEventInput, EventWindow } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { client, trpc } from '../api.ts';
import { reportError } from '../shell/report-error.ts';

/** Changes the cached windows optimistically. `change` resolves with a function that rolls back. */
function useWindows() {
  const queries = useQueryClient();
  const windows = trpc.calendar.list.pathFilter();
  return {
    refresh: () => queries.invalidateQueries(trpc.calendar.pathFilter()),
    async change(change: (events: CalendarEvent[]) => CalendarEvent[]) {
      await queries.cancelQueries(windows);
      const before = queries.getQueriesData<EventWindow>(windows);
      queries.setQueriesData<EventWindow>(
        windows,
        (window) => window && { ...window, data: change(window.data) },
      );
      return () => {
        for (const [key, data] of before) queries.setQueryData(key, data);
      };
    },
  };
}

/** Answers an invitation. A declined one leaves the calendar. */
export function useAnswer() {
  const { change, refresh } = useWindows();
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
  const { change, refresh } = useWindows();
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
