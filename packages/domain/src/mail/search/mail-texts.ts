import { z } from 'zod';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { indexAllFirms, recordTable } from '../../platform/search/index-texts.ts';
import type { IndexedTexts } from '../../platform/search/indexed-texts.ts';
import type { SearchIndex } from '../../platform/search/search-index.ts';
import { type WordUse, wordRetention } from '../../platform/search/word-retention.ts';
import type { Services } from '../../platform/services.ts';
import { fillSearchTexts } from './fill-search-texts.ts';
import { refoldMail } from './mail-search-text.ts';

/** The search of mail. */
export const mailIndex: SearchIndex = {
  words: 'mail_search_words',
  postings: 'mail_search_postings',
  progress: 'mail_search_progress',
  numbers: 'messages',
};

export const mailTexts: IndexedTexts = {
  index: mailIndex,
  tables: [recordTable(mailIndex, 'mail_messages', refoldMail)],
};

const mailWords: WordUse = {
  kind: 'mail_search_words',
  index: mailIndex,
  isInTexts: `exists (
    select from (
      select search_text from mail_messages where workspace_id = $1 and search_number = used.number offset 0) t
    where t.search_text like used.pattern)`,
};

export const mailWordRetention = wordRetention(mailWords);

export const indexMailJob = defineJob('mail.index-search', z.object({}));

/** Indexes the pending texts of all firms' mail, and first makes those of messages that a process of an earlier version has written. */
export async function indexMail(services: Services, signal?: AbortSignal): Promise<void> {
  const missing = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('search')}
      select distinct workspace_id from mail_messages
      where search_pending and search_text is null and ${isAmong('workspace_id')}`,
    values: [],
  });
  const read = async <Row extends object>(text: string) => (await services.pool.query<Row>(text)).rows;
  for (const { workspace_id } of missing) {
    if (!signal?.aborted) await fillSearchTexts(read, workspace_id);
  }
  await indexAllFirms(services, mailTexts, signal);
}
