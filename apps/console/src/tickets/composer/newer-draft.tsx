import { Button } from '../../ui/button.tsx';
import type { NewerDraft as Newer } from './use-draft-sync.ts';

/** Asks what to do with a draft that was changed here and on another device. */
export function NewerDraft({ newer }: { newer: Newer }) {
  return (
    <div role="alert" className="mx-2 mb-2 rounded-md border border-line bg-raised px-3 py-2 text-xs">
      <p className="font-medium">You have also changed this draft on another device:</p>
      <p className="my-1 max-h-24 overflow-y-auto paragraphs text-muted wrap-anywhere">{newer.text}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={newer.add}>Add it below</Button>
        <Button variant="quiet" onClick={newer.discard}>
          Discard it
        </Button>
      </div>
    </div>
  );
}
