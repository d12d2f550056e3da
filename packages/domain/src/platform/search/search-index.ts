/** Where the search of one kind of records, such as tickets, has its dictionary and its postings. */
export interface SearchIndex {
  /** The table of a firm's words. */
  words: string;
  /** The table of the numbers of the records that contain a word, in segments. */
  postings: string;
  /** The table with a row per firm, whose lock is held while the postings change. */
  progress: string;
  /** The column of `postings` with the numbers, and of `progress` with how many records are numbered. */
  numbers: string;
}

/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string;
