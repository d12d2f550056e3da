import { MAX_AVATAR_URL } from '@firmdesk/contract';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { FormError } from './fields/field.tsx';

/** Chooses a picture, or removes it. `onChoose` gets it as a `data:` URL, or null. */
export function PictureChoice({
  label,
  accept,
  isBusy,
  hasPicture,
  problem,
  onChoose,
  children,
}: {
  label: string;
  /** The types of the picture. */
  accept: string;
  isBusy: boolean;
  hasPicture: boolean;
  /** Why the picture could not be saved. */
  problem: string | null;
  onChoose(url: string | null): void;
  /** The picture as it is. */
  children: ReactNode;
}) {
  const file = useRef<HTMLInputElement>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const choose = async (chosen: File) => {
    const url = await dataUrlOf(chosen);
    setTooLarge(url.length > MAX_AVATAR_URL);
    if (url.length <= MAX_AVATAR_URL) onChoose(url);
  };
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        {children}
        <input
          ref={file}
          type="file"
          hidden
          accept={accept}
          aria-label={label}
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            target.value = '';
            if (chosen) void choose(chosen);
          }}
        />
        <Button disabled={isBusy} onClick={() => file.current?.click()}>
          Choose a picture…
        </Button>
        {hasPicture && (
          <Button variant="quiet" disabled={isBusy} onClick={() => onChoose(null)}>
            Remove
          </Button>
        )}
      </div>
      <FormError message={isTooLarge ? 'Choose a picture of at most 700 kB.' : problem} />
    </div>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
