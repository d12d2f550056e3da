import { useState } from 'react';
import { classNames } from './class-names.ts';

/** A person's picture, or initials where there is none or it cannot be loaded. Needs `label` where the name is not shown beside it. */
export function Avatar({
  name,
  url,
  label,
  className = 'size-7 text-[11px]',
}: {
  name: string;
  url: string | null;
  label?: string;
  className?: string;
}) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const initials = name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase();
  const aria = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <span
      {...aria}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-selected font-medium text-accent',
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
