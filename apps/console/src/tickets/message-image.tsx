import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';

/** An image of a message: a thumbnail that can be enlarged, or a note that it cannot be shown. */
export function MessageImage({ url, name, author }: { url: string; name: string | null; author: string }) {
  const [isLarge, setLarge] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const alt = name ?? `Image from ${author}`;
  if (isBroken || !isShowable(url)) return <NoImage url={url} name={alt} />;
  return (
    <>
      <button
        type="button"
        aria-label={`${alt}, enlarge`}
        onClick={() => setLarge(true)}
        className="mt-2 block h-44 max-w-full overflow-hidden rounded-md border border-line bg-canvas"
      >
        <img
          src={url}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
          className="h-full max-w-full object-contain"
        />
      </button>
      <Dialog title={alt} isOpen={isLarge} onOpenChange={setLarge}>
        <img
          src={url}
          alt={alt}
          referrerPolicy="no-referrer"
          className="mx-auto max-h-[62vh] max-w-full rounded"
        />
      </Dialog>
    </>
  );
}

function NoImage({ url, name }: { url: string; name: string }) {
  const isLink = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return (
    <p className="mt-2 flex items-center gap-2 rounded-md border border-dashed border-line-strong px-3 py-2 text-muted">
      <ImageOff size={16} aria-hidden="true" className="shrink-0" />
      <span className="wrap-anywhere">
        {name} could not be shown.{' '}
        {isLink && (
          <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline">
            Open the link
          </a>
        )}
      </span>
    </p>
  );
}

/** Returns whether the page's content security policy allows the image: `https:` and `data:`. */
function isShowable(url: string): boolean {
  return URL.canParse(url) && ['https:', 'data:'].includes(new URL(url).protocol);
}
