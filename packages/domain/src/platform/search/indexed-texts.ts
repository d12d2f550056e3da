import type { OperationContext } from '../database/context.ts';
import type { SearchIndex } from './search-index.ts';

/** The texts of one index. */
export interface IndexedTexts {
  index: SearchIndex;
  /** In the order in which they are indexed. */
  tables: readonly TextTable[];
}

/** A table with texts in `search_text`, which are not in the postings while `search_pending` is true. */
export interface TextTable {
  name: string;
  /** Adds pending texts to the postings. */
  indexBatch(ctx: OperationContext, request: BatchRequest): Promise<Batch>;
}

export interface BatchRequest {
  workspaceId: number;
  /** How many records are numbered. */
  records: number;
  /** The id of the first record. */
  from: string;
  limit: number;
}

export interface Batch {
  /** The texts that were read, by the ids of their records. */
  texts: readonly PendingText[];
  /** How many of them are no longer pending. */
  indexed: number;
}

export interface PendingText {
  id: string;
  record: string;
  number: number;
  text: string;
  /** The text as it is folded now. */
  folded: string;
}
