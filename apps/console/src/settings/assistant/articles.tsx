import type { KnowledgeArticle } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
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
        articles.data.data.length === 0 ? (
          <EmptyState title="No articles yet">
            Write down what the assistant should know: times, limits, fees.
          </EmptyState>
        ) : (
          <ul aria-label="Articles" className="divide-y divide-line">
            {articles.data.data.map((article) => (
              <li key={article.id} className="flex items-center gap-2 py-1.5">
                <span className="min-w-0 flex-1 truncate">{article.title}</span>
                <span className="text-xs text-muted">
                  <Timestamp at={article.updated_at} />
                </span>
                {canManage && (
                  <>
                    <IconButton
                      data-list-control="edit-article"
                      label={`Edit ${article.title}`}
                      className="pointer-coarse:size-11"
                      onClick={() => setOpen({ kind: 'edit', article })}
                    >
                      <Pencil size={15} aria-hidden="true" />
                    </IconButton>
                    <IconButton
                      data-list-control="delete-article"
                      label={`Delete ${article.title}`}
                      className="pointer-coarse:size-11"
                      onClick={() => setOpen({ kind: 'delete', article })}
                    >
                      <Trash2 size={15} aria-hidden="true" />
                    </IconButton>
                  </>
                )}
              </li>
            ))}
          </ul>
        )
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
