import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { EnlargeableImage } from '../../../ui/enlargeable-image.tsx';

/** An image of a message: a thumbnail that can be enlarged, or a note that it cannot be shown. */
export function MessageImage({ url, name, author }: { url: string; name: string | null; author: string }) {
  const [isBroken, setBroken] = useState(false);
  const alt = name ?? `Image from ${author}`;
  if (isBroken || !isShowable(url)) return <NoImage url={url} name={alt} />;
  return (
    <div className="mt-2">
      <EnlargeableImage src={url} name={alt} onBroken={() => setBroken(true)} />
    </div>
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
