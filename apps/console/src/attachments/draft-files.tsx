import { isProgramName, thumbnailPath } from '@firmdesk/contract';
import { FileText, ImageIcon, RotateCw, X } from 'lucide-react';
import { useState } from 'react';
import { firm } from '../session/firm.ts';
import { IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import type { DraftFile } from './draft-file.ts';
import { formatSize } from './file-size.ts';
import { retryUpload, type Upload, useUploads } from './uploads.ts';
import type { DraftFiles as State } from './use-draft-files.ts';

/** The files of a draft, each with the state of its upload. */
export function DraftFiles({ state: { files, remove } }: { state: State }) {
  const uploads = useUploads();
  if (files.length === 0) return null;
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-2 px-3 pb-2">
      {files.map((file) => (
        <DraftFileItem
          key={file.key}
          file={file}
          upload={uploads.get(file.key)}
          onRemove={() => remove(file)}
        />
      ))}
    </ul>
  );
}

function DraftFileItem({
  file,
  upload,
  onRemove,
}: {
  file: DraftFile;
  upload: Upload | undefined;
  onRemove(): void;
}) {
  const [isBroken, setBroken] = useState(false);
  const { key, id, name, type, size } = file;
  const isProblem = id === null && upload?.state !== 'sending';
  return (
    <li
      className={classNames(
        'flex max-w-full min-w-0 items-center gap-2 rounded-md border bg-surface py-1 pr-1 pl-2',
        isProblem ? 'border-danger/40' : 'border-line',
      )}
    >
      {id !== null && type.startsWith('image/') && !isBroken ? (
        <img
          src={thumbnailPath(firm!, { id, size })}
          alt=""
          onError={() => setBroken(true)}
          className="size-9 rounded object-cover"
        />
      ) : type.startsWith('image/') ? (
        <ImageIcon size={18} aria-hidden="true" className="shrink-0 text-muted" />
      ) : (
        <FileText size={18} aria-hidden="true" className="shrink-0 text-muted" />
      )}
      <div className="min-w-0 text-xs">
        <p className="max-w-48 truncate font-medium" title={name}>
          {name}
        </p>
        <p className={isProblem ? 'text-danger' : 'text-muted'}>
          {stateOf(file, upload) ?? `${isProgramName(name) ? 'Program, ' : ''}${formatSize(size)}`}
        </p>
        {upload?.state === 'sending' && (
          <progress
            aria-label={`Upload of ${name}`}
            value={upload.part}
            max={1}
            className="block h-1 w-full"
          />
        )}
      </div>
      {upload && upload.state !== 'sending' && (
        <IconButton
          icon={RotateCw}
          iconSize={14}
          label={`Upload ${name} again`}
          onClick={() => retryUpload(key)}
        />
      )}
      <IconButton
        icon={X}
        iconSize={14}
        label={id === null ? `Cancel ${name}` : `Remove ${name}`}
        onClick={onRemove}
      />
    </li>
  );
}

/** Returns what happens to a file that is not uploaded, or null if it is. */
function stateOf({ id }: DraftFile, upload: Upload | undefined): string | null {
  if (id !== null) return null;
  if (!upload) return 'Not uploaded. Remove it and choose the file again.';
  if (upload.state === 'failed') return upload.problem;
  if (upload.state === 'waiting') return 'Uploads when you’re back online. Keep this page open.';
  return upload.part < 1 ? `Uploading, ${Math.round(upload.part * 100)}%` : 'Storing…';
}
