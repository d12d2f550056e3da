import { MAX_THREADS_PER_CALL } from '@firmdesk/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { offerUndo } from '../../shell/undo.ts';
import { folderLabels } from '../folders.ts';
import type { ListedMail } from '../mail-queries.ts';
import { type FilingFolder, returnMessages } from './use-mail-changes.ts';

/** At most this many conversations are changed at once. */
const MAX_BULK = 5_000;

/** A change of many conversations. */
export type BulkChange = { to: FilingFolder } | { is_read: boolean };

/** How far a change of many conversations is. `count`: null while they are counted. */
interface BulkProgress {
  done: number;
  count: number | null;
}

type Moved = Parameters<typeof returnMessages>[0];

/** Changes the selected conversations, or all of a list, some at a time. A move can be undone. */
export function useBulkChange(listed: ListedMail) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const stopping = useRef(false);

  const change = async (threads: number[], change: BulkChange): Promise<Moved> => {
    if ('is_read' in change) {
      await client.mail.threads.mark.mutate({ threads, ...change });
      return [];
    }
    const from = listed.view === 'spam' || listed.view === 'trash' ? { from: listed.view } : {};
    return (await client.mail.threads.move.mutate({ threads, ...change, ...from })).moved;
  };

  /** `selected`: null for all conversations of the list. */
  const run = async (selected: readonly number[] | null, what: BulkChange) => {
    if (progress) return;
    stopping.current = false;
    setProgress({ done: 0, count: selected?.length ?? null });
    const moved: Moved[] = [];
    let done = 0;
    try {
      const threads = selected ?? (await allThreads(listed, () => stopping.current));
      while (done < threads.length && !stopping.current) {
        const part = threads.slice(done, done + MAX_THREADS_PER_CALL);
        moved.push(await change(part, what));
        done += part.length;
        setProgress({ done, count: threads.length });
      }
    } catch (error) {
      reportError(error, 'Not all conversations were changed');
    }
    setProgress(null);
    void queries.invalidateQueries(trpc.mail.pathFilter());
    if (!('to' in what) || done === 0) return;
    const name = `${countOf(done)} moved to ${folderLabels[what.to]}`;
    offerUndo(name, async () => {
      try {
        await returnMessages(moved.flat());
        return 'undone';
      } catch (error) {
        reportError(error, 'Not all conversations were moved back');
        return 'failed';
      } finally {
        void queries.invalidateQueries(trpc.mail.pathFilter());
      }
    });
  };
  return { progress, run, stop: () => (stopping.current = true) };
}

/** Returns a number of conversations in words. */
function countOf(count: number): string {
  return count === 1 ? '1 conversation' : `${count} conversations`;
}

/** Returns the conversations of a list before any of them is changed, the newest first. */
async function allThreads(listed: ListedMail, isStopped: () => boolean): Promise<number[]> {
  const threads = new Set<number>();
  let starting_after: string | null = null;
  do {
    const from: { starting_after?: string } = starting_after ? { starting_after } : {};
    const { data, meta } = await client.mail.threads.list.query({ ...listed, limit: 100, ...from });
    for (const { id } of data) threads.add(id);
    starting_after = meta.next_cursor;
  } while (starting_after && threads.size < MAX_BULK && !isStopped());
  return [...threads].slice(0, MAX_BULK);
}
