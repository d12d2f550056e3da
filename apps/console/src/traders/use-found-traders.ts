import { type FoundTrader, MAX_QUERY_LENGTH } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api.ts';
import { useSettled } from '../ui/use-settled.ts';

const NOBODY: readonly FoundTrader[] = [];

/** Returns the people of the firm whose name or address has the words of a text; none until they are loaded. */
export function useFoundTraders(text: string, isOn = true): readonly FoundTrader[] {
  const typed = text.trim().slice(0, MAX_QUERY_LENGTH);
  const q = useSettled(typed);
  const { data } = useQuery({
    ...trpc.traders.find.queryOptions({ q }, { staleTime: 60_000 }),
    enabled: isOn && q.length > 1,
  });
  return isOn && q === typed ? (data?.data ?? NOBODY) : NOBODY;
}
