/** A mail app as the developer of one writes it: it knows the address, the email, the password and `/v1`. */
import { randomUUID } from 'node:crypto';
import { delay } from '@firmdesk/domain';

interface Row {
  id: string;
  thread_id: number;
  subject: string;
  folder: string;
}

interface Opened extends Row {
  body: string;
  attachments: { id: string; name: string; size: number }[];
  delivery: { state: string; recipients: { email: string; state: string; detail: string | null }[] } | null;
  sender_check: { status: string; via: string | null } | null;
}

export interface Message {
  to: string[];
  subject: string;
  body?: string;
  in_reply_to?: string;
  attachments?: string[];
  draft_id?: string;
}

export class Phone {
  readonly #server: string;
  #token = '';
  /** The mailbox from which it writes. */
  address = 0;

  /** @param server the address of the server, which can be away for a while */
  constructor(server: string) {
    this.#server = server;
  }

  async signIn(email: string, password: string): Promise<void> {
    const { token } = await this.call('POST /v1/sessions', { email, password });
    this.#token = token;
    const [mailbox] = await this.call('GET /v1/me/mail/mailboxes');
    this.address = mailbox.id;
  }

  /** Calls until the server has answered, with one key. Returns `data`. Throws the body of an error of the caller. */
  // biome-ignore lint/suspicious/noExplicitAny: a developer without our types.
  async call(operation: string, body?: object, meta = false): Promise<any> {
    const [method, path] = operation.split(' ') as [string, string];
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(this.#token && { authorization: `Bearer ${this.#token}` }),
    };
    for (;;) {
      const answer = await fetch(this.#server + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => null);
      const text = await answer?.text().catch(() => null);
      if (answer && text !== null && text !== undefined && answer.status < 500 && answer.status !== 429) {
        if (answer.ok) return meta ? JSON.parse(text) : JSON.parse(text).data;
        throw new Error(`${operation}: ${answer.status} ${text}`);
      }
      await delay(200);
    }
  }

  /** Uploads a file. Returns the id to send it by. */
  async upload(name: string, content: Buffer): Promise<string> {
    const about = { address_id: this.address, name, size: content.length };
    const { id, upload_url } = await this.call('POST /v1/me/mail/attachments', about);
    for (;;) {
      const answer = await fetch(upload_url, {
        method: 'PUT',
        headers: { authorization: `Bearer ${this.#token}` },
        body: new Uint8Array(content),
      }).catch(() => null);
      if (answer?.status === 204) return id;
      await delay(200);
    }
  }

  async download(firm: string, id: string): Promise<Buffer> {
    const answer = await fetch(`${this.#server}/attachments/${firm}/${id}`, {
      headers: { authorization: `Bearer ${this.#token}` },
    });
    return Buffer.from(await answer.arrayBuffer());
  }

  send(message: Message): Promise<Row> {
    return this.call('POST /v1/me/mail/messages', { address_id: this.address, ...message });
  }

  /** Returns all messages of a folder, or those that a search finds. */
  async list(query = 'folder=inbox'): Promise<Row[]> {
    const rows: Row[] = [];
    for (let cursor = ''; ; ) {
      const page = await this.call(`GET /v1/me/mail/messages?${query}&limit=100${cursor}`, undefined, true);
      rows.push(...page.data);
      if (!page.meta.has_more) return rows;
      cursor = `&starting_after=${page.meta.next_cursor}`;
    }
  }

  open(id: string): Promise<Opened> {
    return this.call(`GET /v1/me/mail/messages/${id}`);
  }
}
