import { type KnowledgeArticle, MAX_ARTICLE_TEXT, MAX_ARTICLE_TITLE } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { toast } from '../../shell/toast.ts';
import { TextAreaField, TextField } from '../../ui/fields/field.tsx';
import { fieldError, formError } from '../../ui/fields/field-errors.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';

interface Values {
  title: string;
  text: string;
}

/** Adds an article, or changes one. */
export function ArticleDialog({ article, onClose }: { article: KnowledgeArticle | null; onClose(): void }) {
  const stored = useQuery({
    ...trpc.knowledge.get.queryOptions({ id: article?.id ?? '' }),
    enabled: article !== null,
  });
  const [typed, setTyped] = useState<Partial<Values>>({});
  const onSuccess = () => {
    toast.success('Article saved');
    void queryClient.invalidateQueries({ queryKey: trpc.knowledge.pathKey() });
    onClose();
  };
  const create = useMutation(trpc.knowledge.create.mutationOptions({ onSuccess }));
  const update = useMutation(trpc.knowledge.update.mutationOptions({ onSuccess }));
  const error = create.error ?? update.error;
  const { title, text }: Values = { title: '', text: '', ...stored.data, ...typed };
  const isLoaded = article === null || stored.data !== undefined;
  return (
    <FormDialog
      title={article ? 'Edit article' : 'New article'}
      description="Write or paste Markdown. The assistant takes facts from the articles that fit a question."
      isKeptOpen
      onClose={onClose}
      problem={formError(error, ['title', 'text'])}
      submitLabel="Save"
      busyLabel="Saving…"
      isBusy={create.isPending || update.isPending || !isLoaded}
      onSubmit={() =>
        article ? update.mutate({ id: article.id, title, text }) : create.mutate({ title, text })
      }
    >
      {isLoaded ? (
        <>
          <TextField
            label="Title"
            required
            autoComplete="off"
            data-initial-focus
            maxLength={MAX_ARTICLE_TITLE}
            value={title}
            error={fieldError(error, 'title', 'The title')}
            onChange={({ target }) => setTyped({ ...typed, title: target.value })}
          />
          <TextAreaField
            label="Text"
            required
            rows={14}
            maxLength={MAX_ARTICLE_TEXT}
            value={text}
            error={fieldError(error, 'text', 'The text')}
            onChange={({ target }) => setTyped({ ...typed, text: target.value })}
          />
        </>
      ) : stored.isError ? (
        <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />
      ) : (
        <LoadingRows label="Loading the article" rows={4} />
      )}
    </FormDialog>
  );
}
