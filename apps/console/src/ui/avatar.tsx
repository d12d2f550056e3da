import { type CSSProperties, useState } from 'react';
import { classNames } from './class-names.ts';

/** A person's picture, or initials where there is none or it cannot be loaded. Needs `label` where the name is not shown beside it. */
export function Avatar({
  name,
  url,
  label,
  size = 'medium',
  className,
}: {
  name: string;
  url: string | null;
  label?: string;
  /** A small one has room for one letter. */
  size?: 'small' | 'medium';
  className?: string;
}) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const initials = name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .join('')
    .slice(0, size === 'small' ? 1 : 2)
    .toUpperCase();
  const aria = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <span
      {...aria}
      style={{ '--hue': hueOf(name) } as CSSProperties}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full text-xs font-medium avatar',
        size === 'small' ? 'size-5' : 'size-7',
        className,
      )}
    >
      {url && url !== failedUrl ? (
        <img src={url} alt="" onError={() => setFailedUrl(url)} className="size-full object-cover" />
      ) : (
        initials
      )}
    </span>
  );
}

/** Returns the hue of a person's initials, which is the same wherever they are shown. */
function hueOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 3_600;
  return hash % 360;
}
