import type { MailAttachment, MailRecipient } from '@firmdesk/contract';
import { mailSearchText } from './mail-search-text.ts';

/** Their bodies are in memory at once. */
const BATCH = 50;
/** The most that is read of a body. */
const MAX_BODY = 262_144;

interface Row {
  id: string;
  from_email: string;
  from_name: string | null;
  recipients: MailRecipient[];
  subject: string;
  body: string;
  attachments: MailAttachment[];
}

/** Runs a statement without parameters, which commits. */
type Run = <Row extends object>(statement: string) => Promise<Row[]>;

/**
 * Makes the search texts of a firm's messages that have none, in small batches. A message that is changed meanwhile keeps what its writer has
 * stored. An interrupted run is continued by the next one.
 */
export async function fillSearchTexts(run: Run, workspaceId: number): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await run<Row>(`
      select id, from_email, from_name, to_recipients || cc_recipients || bcc_recipients as recipients, subject,
        left(body, ${MAX_BODY}) as body, attachments
      from mail_messages
      where workspace_id = ${workspaceId} and search_pending and search_text is null and id > ${literal(after)}
      order by id limit ${BATCH}`);
    const last = rows.at(-1);
    if (!last) return;
    const texts = rows.map(({ id, from_email, from_name, attachments, ...message }) => ({
      id,
      text: mailSearchText({
        ...message,
        from: { email: from_email, name: from_name },
        files: attachments.map(({ name }) => name),
      }),
    }));
    await run(`
      update mail_messages m set search_text = n.text
      from jsonb_to_recordset(${literal(JSON.stringify(texts))}::jsonb) as n (id text, text text)
      where m.workspace_id = ${workspaceId} and m.id = n.id and m.search_text is null`);
    after = last.id;
  }
}

/** Returns a text as a literal of SQL (`standard_conforming_strings`). */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
