import { type ReactNode, useState } from 'react';
import { Dialog } from './overlays/dialog.tsx';

/** A thumbnail that opens the image in a dialog. */
export function EnlargeableImage({
  src,
  thumbnail = src,
  name,
  onBroken,
  children,
}: {
  src: string;
  thumbnail?: string;
  name: string;
  onBroken(): void;
  /** Shown below the large image. */
  children?: ReactNode;
}) {
  const [isLarge, setLarge] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={`${name}, enlarge`}
        onClick={() => setLarge(true)}
        className="block h-44 min-w-11 max-w-full overflow-hidden rounded-md border border-line bg-canvas"
      >
        <img
          src={thumbnail}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          onError={onBroken}
          className="h-full max-w-full object-contain"
        />
      </button>
      <Dialog title={name} isOpen={isLarge} onClose={() => setLarge(false)}>
        <img
          src={src}
          alt={name}
          referrerPolicy="no-referrer"
          className="mx-auto max-h-[62vh] max-w-full rounded"
        />
        {children}
      </Dialog>
    </>
  );
}
