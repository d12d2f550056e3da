import { asFirmdeskError } from '@firmdesk/client';
import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';

/** The end of a list that is loaded page by page: more comes when it is scrolled to, or asked for. */
export function MoreRows({
  query: { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage },
}: {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage(): unknown;
  };
}) {
  const button = useRef<HTMLButtonElement>(null);
  // What failed is not asked for again and again by itself.
  const isAutomatic = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isAutomatic || !button.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && fetchNextPage(), {
      rootMargin: '400px',
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isAutomatic, fetchNextPage]);

  if (!hasNextPage) return null;
  return (
    <div className="flex flex-col items-center gap-2 p-4">
      {isFetchNextPageError && (
        <p role="alert" className="text-danger">
          {asFirmdeskError(error).message}
        </p>
      )}
      <Button
        ref={button}
        look="quiet"
        aria-disabled={isFetchingNextPage}
        onClick={() => !isFetchingNextPage && fetchNextPage()}
      >
        {isFetchingNextPage ? 'Loading more…' : 'Show more'}
      </Button>
    </div>
  );
}
