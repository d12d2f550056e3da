import type { Macro } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api.ts';
import { macrosQuery, refreshMacros } from '../../macros/macro-queries.ts';
import { isSignedOut, usePermission } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/fields/field.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { MacroDialog } from './macro-dialog.tsx';
import { exportMacros, importMacros } from './macro-files.ts';
import { type MacroValues, newMacro, valuesOfMacro } from './macro-values.ts';
import { MacrosTable } from './macros-table.tsx';

/** The firm’s macros: created, changed, ordered, deleted, exported and imported. */
export function MacrosPage() {
  const macros = useQuery(macrosQuery('all'));
  const canManage = usePermission('manage_assistant');
  // What was typed is kept while the page is open, also if a dialog is closed.
  const [typed, setTyped] = useState<Record<string, Partial<MacroValues>>>({});
  const [edited, setEdited] = useState<Macro | 'new' | null>(null);
  const key = edited === null || edited === 'new' ? 'new' : edited.id;
  // A colleague who saves it meanwhile changes only the fields that were not typed in.
  const current = macros.data?.find(({ id }) => id === key);
  useLiveMacros();
  return (
    <Page title="Macros">
      <div className="mx-auto max-w-4xl space-y-4 p-4">
        {canManage ? (
          <Actions onNew={() => setEdited('new')} />
        ) : (
          <p className="rounded-md border border-line bg-surface px-4 py-3 text-muted">
            You can view and use these macros. To change them, you need the permission to manage the
            assistant.
          </p>
        )}
        {macros.isPending ? (
          <LoadingRows label="Loading macros" rows={4} />
        ) : macros.isError && !macros.data ? (
          <ErrorState error={macros.error} onRetry={() => void macros.refetch()} />
        ) : (
          <MacrosTable macros={macros.data} canManage={canManage} onEdit={setEdited} />
        )}
      </div>
      {edited !== null && (
        <MacroDialog
          macro={edited === 'new' ? null : edited}
          values={{ ...(edited === 'new' ? newMacro : valuesOfMacro(current ?? edited)), ...typed[key] }}
          onChange={(fields) => setTyped((now) => ({ ...now, [key]: { ...now[key], ...fields } }))}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setTyped(({ [key]: _saved, ...others }) => others);
            // Another one may have been opened meanwhile.
            setEdited((now) => (now === edited ? null : now));
          }}
        />
      )}
    </Page>
  );
}

function Actions({ onNew }: { onNew(): void }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button variant="solid" onClick={onNew}>
          New macro
        </Button>
        <Button onClick={() => input.current?.click()}>Import</Button>
        <Button onClick={() => void exportMacros()}>Export</Button>
        <input
          ref={input}
          type="file"
          accept="application/json,.json"
          aria-label="File of macros"
          className="hidden"
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file) void importMacros(file).then(setProblem);
            // The same file can be chosen again.
            target.value = '';
          }}
        />
      </div>
      <FormError message={problem} />
    </>
  );
}

/** Loads the macros again when a colleague has changed them. */
function useLiveMacros(): void {
  useEffect(() => {
    const following = client.macros.live.subscribe(
      {},
      {
        onData: () => void refreshMacros(),
        onError(error) {
          if (!isSignedOut(error)) reportError(error, 'Live updates of macros stopped');
        },
      },
    );
    return () => following.unsubscribe();
  }, []);
}
