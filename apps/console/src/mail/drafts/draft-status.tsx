import type { AnyFirmdeskError } from '@firmdesk/client';
import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { errorText, errorTextWithId } from '../../ui/error-text.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { plainText } from './body-text.ts';
import type { SaveStatus, StoredDraft } from './draft-saver.ts';

const labels: Record<SaveStatus, string> = {
  saved: 'Saved',
  unsaved: 'Not saved yet',
  saving: 'Saving…',
  partly: 'Saved without the highlighted addresses',
  rejected: 'Not saved: check the highlighted fields',
  failed: 'Not saved. Kept in this browser.',
  conflict: 'Not saved: changed elsewhere',
};

/** Shows whether the draft is saved. */
export function DraftStatus({
  status,
  error,
  onRetry,
  onSaveAsNew,
}: {
  status: SaveStatus;
  error: AnyFirmdeskError | null;
  onRetry(): void;
  onSaveAsNew(): void;
}) {
  const isGone = error?.code === 'resource_not_found';
  const isBad = status === 'partly' || status === 'rejected' || status === 'failed' || status === 'conflict';
  const Icon = isBad ? CircleAlert : status === 'saved' ? Check : LoaderCircle;
  return (
    <>
      <p
        data-draft-status={status}
        className={isBad ? 'flex items-center gap-1.5 text-danger' : 'flex items-center gap-1.5 text-muted'}
      >
        <Icon size={15} aria-hidden="true" />
        {labels[status]}
      </p>
      {/* Announces problems only, not each save. */}
      <span role="status" className="sr-only">
        {isBad && `${labels[status]} ${error ? errorText(error) : ''}`}
      </span>
      {status === 'failed' && (
        <>
          {isGone ? (
            <Button onClick={onSaveAsNew}>Save as a new draft</Button>
          ) : (
            <Button onClick={onRetry}>Try again</Button>
          )}
          <span className="text-xs text-muted">
            {isGone ? 'It was deleted elsewhere.' : errorTextWithId(error)}
          </span>
        </>
      )}
    </>
  );
}

/** Asks which version to keep when the draft was changed elsewhere. */
export function DraftConflict({
  theirs: { content, version },
  onKeepMine,
  onTakeTheirs,
}: {
  theirs: StoredDraft;
  onKeepMine(): void;
  onTakeTheirs(): void;
}) {
  const copies = [content.cc && `Cc: ${content.cc}`, content.bcc && `Bcc: ${content.bcc}`].filter(Boolean);
  return (
    <div role="alert" className="border-b border-line bg-warning-surface px-5 py-3">
      <p className="font-medium text-warning">
        This draft was changed elsewhere: <Timestamp at={version} />.
      </p>
      <p className="mt-1">
        Other version: <strong>{content.subject || 'no subject'}</strong>
        {content.to && `, to ${content.to}`}
      </p>
      {copies.length > 0 && <p>{copies.join(', ')}</p>}
      <p className="paragraphs line-clamp-4 text-muted">{plainText(content.body) || 'No text'}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={onKeepMine}>Keep mine</Button>
        <Button onClick={onTakeTheirs}>Discard mine</Button>
      </div>
    </div>
  );
}
