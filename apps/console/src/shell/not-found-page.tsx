import { Link } from '@tanstack/react-router';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Shown for unknown paths. Notifications can link to pages of other parts of the platform. */
export function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <main className="h-full">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState title="Page not found">
        The page may belong to another part of the platform.{' '}
        <Link to="/tickets" className="text-accent underline">
          Go to tickets
        </Link>
      </EmptyState>
    </main>
  );
}
