import { Link } from '@tanstack/react-router';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

/** A path that this console has no page for: notifications may name pages of the platform's other parts. */
export function NotFoundPage() {
  usePageTitle('Not here');
  return (
    <main className="h-full">
      <h1 className="sr-only">Not here</h1>
      <EmptyState title="This page is not part of the desk">
        It may belong to another part of the platform.{' '}
        <Link to="/tickets" className="text-accent underline">
          To the tickets
        </Link>
      </EmptyState>
    </main>
  );
}
