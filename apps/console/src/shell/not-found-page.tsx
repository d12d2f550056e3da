import { Link } from '@tanstack/react-router';
import { useAccount } from '../session/account.ts';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { firstDestination } from './navigation.ts';

/** Shown for unknown paths. Notifications can link to pages of other parts of the platform. */
export function NotFoundPage() {
  const first = firstDestination(useAccount().permissions);
  usePageTitle('Page not found');
  return (
    <>
      <h1 className="sr-only">Page not found</h1>
      <EmptyState title="Page not found">
        The page may belong to another part of the platform.{' '}
        <Link to={first} className="text-accent underline">
          {first === '/tickets' ? 'Go to tickets' : 'Go to the first page'}
        </Link>
      </EmptyState>
    </>
  );
}
