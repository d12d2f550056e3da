import type { ReactNode } from 'react';
import { FirmLogo } from '../ui/firm-logo.tsx';

/** The frame of the pages that need no session. */
export function SignedOutPage({ logo, children }: { logo?: string | null; children: ReactNode }) {
  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="w-full max-w-sm space-y-4 rounded-xl border border-line bg-surface p-8 shadow-sm">
        <FirmLogo url={logo} className="h-12 max-w-full" />
        <h1 className="text-xl font-semibold">Firmdesk</h1>
        {children}
      </div>
    </main>
  );
}
