import { asFirmdeskError } from '@firmdesk/client';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { errorText, reportId } from './error-text.ts';
import { useOnline } from './use-online.ts';

/** Replaces an empty list: a title and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center">
      <p className="text-base font-medium">{title}</p>
      {children && <div className="max-w-md text-muted">{children}</div>}
    </div>
  );
}

/** An error with its reason, the id of a failure for the logs, and a retry button. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { code } = asFirmdeskError(error);
  const id = reportId(error);
  return (
    <div role="alert" className="flex h-full flex-col items-center justify-center gap-3 p-8 text-center">
      <p className="text-base font-medium">
        {code === 'resource_not_found' ? 'Not found' : 'Couldn’t load this'}
      </p>
      <p className="max-w-md text-muted">{errorText(error)}</p>
      {id && <code className="text-xs text-muted select-all">{id}</code>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** A grey placeholder shape. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-pulse rounded bg-hover', className)} />;
}

/** Placeholder rows of a list that is loading. Without a network it says that it waits for one. */
export function LoadingRows({ label, rows = 8 }: { label: string; rows?: number }) {
  if (!useOnline())
    return <EmptyState title="You’re offline">This loads once you’re back online.</EmptyState>;
  return (
    <div role="status" className="space-y-3 p-4">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="space-y-2">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-3 w-full" />
        </div>
      ))}
    </div>
  );
}
