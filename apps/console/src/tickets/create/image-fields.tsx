import { TextField } from '../../ui/fields/field.tsx';
import type { ReplyDraft } from '../composer/reply-drafts.ts';

const MAX_URL_LENGTH = 2_000;
const MAX_NAME_LENGTH = 255;

/** The URL and alt text of an image sent with a reply. */
export function ImageFields({
  draft,
  onChange,
}: {
  draft: ReplyDraft;
  onChange(fields: Partial<Pick<ReplyDraft, 'imageUrl' | 'imageName'>>): void;
}) {
  return (
    <div className="grid gap-2 px-3 pb-2 sm:grid-cols-2">
      <TextField
        label="Image URL"
        type="url"
        inputMode="url"
        placeholder="https://…"
        maxLength={MAX_URL_LENGTH}
        value={draft.imageUrl}
        onChange={(event) => onChange({ imageUrl: event.target.value })}
      />
      <TextField
        label="Alt text"
        maxLength={MAX_NAME_LENGTH}
        value={draft.imageName}
        onChange={(event) => onChange({ imageName: event.target.value })}
      />
    </div>
  );
}
