/** A page of a list, as both clients receive it. */
export interface Page<Row = unknown> {
  data: Row[];
  meta: { has_more: boolean; next_cursor: string | null };
}

/** Yields the pages of a list from a cursor on. Each page is fetched when it is needed. */
export async function* pagesFrom<P extends Page>(
  cursor: string | undefined,
  fetchPage: (cursor: string | undefined) => Promise<P>,
): AsyncGenerator<P, void, undefined> {
  let next: string | null | undefined = cursor;
  do {
    const page: P = await fetchPage(next);
    yield page;
    next = page.meta.has_more ? page.meta.next_cursor : null;
  } while (next !== null);
}

/** Yields the rows of pages, one after another. */
export async function* rowsOf<Row>(pages: AsyncIterable<Page<Row>>): AsyncGenerator<Row, void, undefined> {
  for await (const { data } of pages) yield* data;
}
