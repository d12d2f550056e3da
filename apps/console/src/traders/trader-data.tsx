import { lazy, Suspense, useState } from 'react';
import { useAccount, usePermission } from '../session/account.ts';
import { isTestData } from '../session/firm-path.ts';
import { Button } from '../ui/button.tsx';

/** Loaded when it is opened. */
const PersonDataDialog = lazy(async () => ({
  default: (await import('../settings/data/person-data-dialog.tsx')).PersonDataDialog,
}));

/** Opens the export and the erasure of a trader, for those who manage the people of the firm. */
export function TraderData({ trader }: { trader: { id: string; name: string } }) {
  const { workspace } = useAccount();
  const mayManage = usePermission('manage_members');
  const [isOpen, setOpen] = useState(false);
  if (!mayManage || isTestData(workspace.slug)) return null;
  return (
    <>
      <Button variant="quiet" className="mt-2 -ml-3" onClick={() => setOpen(true)}>
        Export or erase data…
      </Button>
      {isOpen && (
        <Suspense>
          <PersonDataDialog person={trader} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
