import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { mailRoute } from '../mail-route.ts';

/** The toolbar above a conversation or a draft. */
export function MessageBar({ hasBack = true, children }: { hasBack?: boolean; children: ReactNode }) {
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-3 py-1 max-md:gap-x-0.5 max-md:px-2">
      {hasBack && <BackToList />}
      {children}
    </div>
  );
}

/** A button that returns to the list, on screens too narrow for both. */
export function BackToList() {
  const navigate = mailRoute.useNavigate();
  return (
    <IconButton
      icon={ArrowLeft}
      label="Back to the list"
      className="lg:hidden"
      onClick={() => void navigate({ search: ({ message: _, ...rest }) => rest })}
    />
  );
}
