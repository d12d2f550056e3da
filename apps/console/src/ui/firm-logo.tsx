import { classNames } from './class-names.ts';

/** A firm's logo, if it has one. Its name stands beside it. */
export function FirmLogo({ url, className }: { url: string | null | undefined; className?: string }) {
  return url ? <img src={url} alt="" className={classNames('logo', className)} /> : null;
}
