import type { ArticleRef } from '@firmdesk/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';

/** Returns the id of the ticket that a text names by its number, its id or its address; undefined if there is none. */
async function findTicket(text: string): Promise<string | undefined> {
  const id = /tkt_[0-9A-Za-z]+/.exec(text)?.[0];
  const number = /^\s*#?([0-9a-z]{6})\s*$/i.exec(text)?.[1]?.toUpperCase();
  if (id || !number) return id;
  const { data } = await client.tickets.list.query({ q: `#${number}`, limit: 1 });
  return data.find((found) => found.number === `#${number}`)?.id;
}

/** Lets the assistant answer a past ticket, without sending. */
export function TryAssistant() {
  const [ticket, setTicket] = useState('');
  const [text, setText] = useState<string | null>(null);
  const [articles, setArticles] = useState<readonly ArticleRef[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  const start = async (event: FormEvent) => {
    event.preventDefault();
    stop.current();
    setProblem(null);
    const id = await findTicket(ticket).catch((error: unknown) => {
      reportError(error, 'Couldn’t try the assistant');
      return null;
    });
    if (id === undefined)
      setProblem('Enter the number of a ticket, such as #4X7K2M, or the address of its page.');
    if (!id) return;
    setText('');
    setArticles([]);
    setWriting(true);
    const following = client.knowledge.try.subscribe(
      { ticket: id },
      {
        onData({ data }) {
          if (data.type === 'started') {
            setArticles(data.articles);
            void queryClient.invalidateQueries(trpc.tickets.assistantSettings.pathFilter());
          } else if (data.type === 'text_delta') setText((before) => (before ?? '') + data.text);
          else {
            setWriting(false);
            if (data.type === 'failed') setProblem(`The assistant stopped because ${data.reason}.`);
          }
        },
        onError(error) {
          setWriting(false);
          reportError(error, 'Couldn’t try the assistant');
        },
      },
    );
    stop.current = () => following.unsubscribe();
  };
  return (
    <section aria-labelledby="try" className="space-y-3 rounded-lg border border-line bg-surface p-4">
      <h2 id="try" className="font-semibold">
        Try it
      </h2>
      <form onSubmit={(event) => void start(event)} noValidate className="flex flex-wrap items-start gap-3">
        <TextField
          label="Ticket"
          autoComplete="off"
          className="min-w-64 flex-1"
          hint="The assistant answers the trader’s last message. Nothing is sent; it counts as one reply."
          value={ticket}
          error={problem ?? undefined}
          onChange={({ target }) => setTicket(target.value)}
        />
        <Button type="submit" className="mt-6 h-9" disabled={isWriting}>
          {isWriting ? 'Writing…' : 'Try'}
        </Button>
      </form>
      {text !== null && (
        <div aria-live="polite" aria-busy={isWriting} className="rounded-lg border border-ai-line bg-ai p-3">
          <p className="whitespace-pre-wrap">{text}</p>
          {articles.length > 0 && (
            <p className="mt-2 text-xs text-muted">
              Based on: {articles.map(({ title }) => title).join(', ')}
            </p>
          )}
        </div>
      )}
    </section>
  );
}
