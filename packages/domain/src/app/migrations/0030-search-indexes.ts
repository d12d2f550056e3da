import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The texts that search reads as they are, and the tickets by their number in postings. */
export class SearchIndexes extends ConcurrentIndexes {
  protected override readonly create = {
    tickets_search_pending: 'tickets (workspace_id, id) where search_pending',
    ticket_messages_search_pending: 'ticket_messages (workspace_id, ticket_id) where search_pending',
    tickets_search_number: 'tickets (workspace_id, search_number)',
  };
  protected override readonly unique = ['tickets_search_number'];
}
