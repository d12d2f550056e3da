import type { KnowledgeArticle } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { ArticleDialog } from './article-dialog.tsx';

/** What the assistant answers from. */
export function Articles({ canManage }: { canManage: boolean }) {
  const articles = useQuery(trpc.knowledge.list.queryOptions());
  const [open, setOpen] = useState<
    { kind: 'create' } | { kind: 'edit' | 'delete'; article: KnowledgeArticle } | null
  >(null);
  const remove = useMutation(
    trpc.knowledge.delete.mutationOptions({
      onSuccess: () => toast.success('Article deleted'),
      onError: (error) => reportError(error, 'Couldn’t delete the article'),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.knowledge.pathKey() }),
    }),
  );
  const close = () => setOpen(null);
  return (
    <section aria-labelledby="knowledge" className="space-y-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex items-center justify-between gap-2">
        <h2 id="knowledge" className="font-semibold">
          Knowledge
        </h2>
        {canManage && (
          <Button onClick={() => setOpen({ kind: 'create' })}>
            <Plus size={15} aria-hidden="true" />
            New article
          </Button>
        )}
      </div>
      {articles.data ? (
        <SettingsTable
          caption="Articles, by title"
          rows={articles.data.data}
          idOf={({ id }) => id}
          nameOf={({ title }) => title}
          textOf={({ title }) => title}
          columns={[
            {
              label: 'Title',
              sortBy: ({ title }) => title,
              cell: ({ title }) => <span className="block truncate">{title}</span>,
            },
            {
              label: 'Changed',
              className: 'w-36 text-muted max-sm:hidden',
              sortBy: ({ updated_at }) => updated_at,
              cell: ({ updated_at }) => <Timestamp at={updated_at} />,
            },
          ]}
          actions={(article) =>
            canManage && (
              <>
                <MenuItem onSelect={() => setOpen({ kind: 'edit', article })}>Edit…</MenuItem>
                <MenuSeparator />
                <MenuItem isDanger onSelect={() => setOpen({ kind: 'delete', article })}>
                  Delete…
                </MenuItem>
              </>
            )
          }
          empty={
            <EmptyState title="No articles yet">
              Write down what the assistant should know: times, limits, fees.
            </EmptyState>
          }
        />
      ) : articles.isError ? (
        <ErrorState error={articles.error} onRetry={() => void articles.refetch()} />
      ) : (
        <LoadingRows label="Loading articles" rows={2} />
      )}
      {(open?.kind === 'create' || open?.kind === 'edit') && (
        <ArticleDialog article={open.kind === 'edit' ? open.article : null} onClose={close} />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title="Delete this article?"
          confirmLabel="Delete"
          onClose={close}
          onConfirm={() => remove.mutate({ id: open.article.id })}
        >
          The assistant no longer answers from “{open.article.title}”.
        </ConfirmDialog>
      )}
    </section>
  );
}
