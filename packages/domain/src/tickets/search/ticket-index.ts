import type { SearchIndex } from '../../platform/search/search-index.ts';
import { type WordUse, wordRetention } from '../../platform/search/word-retention.ts';

/** The search of tickets. A ticket contains the words of its messages. */
export const ticketIndex: SearchIndex = {
  words: 'search_words',
  postings: 'search_postings',
  progress: 'search_progress',
  numbers: 'tickets',
};

const ticketWords: WordUse = {
  kind: 'search_words',
  index: ticketIndex,
  isInTexts: `exists (
    select from (
      select id, search_text from tickets where workspace_id = $1 and search_number = used.number offset 0) t
    where t.search_text like used.pattern or exists (
      select from ticket_messages m
      where m.workspace_id = $1 and m.ticket_id = t.id and m.search_text like used.pattern))`,
};

export const ticketWordRetention = wordRetention(ticketWords);
