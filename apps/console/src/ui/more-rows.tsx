import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { errorText } from './error-text.ts';

/** The end of a paged list. Loads the next page when it is scrolled into view or clicked. */
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
  // A page that failed is not retried automatically.
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
          {errorText(error)}
        </p>
      )}
      <Button
        ref={button}
        variant="quiet"
        aria-disabled={isFetchingNextPage}
        onClick={() => !isFetchingNextPage && fetchNextPage()}
      >
        {isFetchingNextPage ? 'Loading more…' : 'Show more'}
      </Button>
    </div>
  );
}
