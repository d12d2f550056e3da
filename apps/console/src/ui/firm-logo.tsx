import { classNames } from './class-names.ts';

/** A firm's logo, if it has one. Its name stands beside it. */
export function FirmLogo({ url, className }: { url: string | null | undefined; className?: string }) {
  return url ? (
    // Most logos are made for white paper.
    <img src={url} alt="" className={classNames('rounded-sm bg-white object-contain', className)} />
  ) : null;
}
