import { Suspense, useState } from 'react';
import { flushSync } from 'react-dom';
import { awaitDialog } from '../../keyboard/shortcuts.ts';
import { ViewDialog } from '../../tickets/ticket-tools.ts';
import { focusList } from '../list/ticket-rows.tsx';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { createView, updateView, useSavedViews, type ViewFields } from './saved-views.ts';
import { useView } from './use-view.ts';

const action = 'h-6 rounded-md px-1.5 text-xs font-medium text-accent hover:bg-hover';

/**
 * Saves what is listed as a view, unless it is one.
 *
 * @param props.base the view that it was before filters changed, which can be updated
 */
export function SaveView({ base }: { base: string | null }) {
  const { search } = useInboxSearch();
  const view = useView();
  const changed = useSavedViews().find(({ id }) => id === base);
  const [isNaming, setNaming] = useState(false);
  const name = () => {
    setNaming(true);
    awaitDialog();
  };
  const save = async (given: Pick<ViewFields, 'name' | 'team'>) => {
    const isSaved = await createView({ ...given, search });
    // The button that had the focus is gone then.
    if (isSaved) {
      flushSync(() => setNaming(false));
      focusList();
    }
    return isSaved;
  };
  if (view.isNamed && !isNaming) return null;
  return (
    <>
      {!view.isNamed && (
        <>
          {changed && (
            <button type="button" className={action} onClick={() => void updateView(changed.id, { search })}>
              Update view
            </button>
          )}
          <button type="button" className={action} onClick={name}>
            {changed ? 'Save as new view' : 'Save view'}
          </button>
        </>
      )}
      {isNaming && (
        <Suspense>
          <ViewDialog
            title="Save view"
            view={{ name: '', team: null }}
            onSave={save}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </>
  );
}
