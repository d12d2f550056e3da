import { FirmLogo } from '../ui/firm-logo.tsx';

/** A list of firms to choose from. */
export function FirmList({
  firms,
  isDisabled,
  onChoose,
}: {
  firms: readonly { slug: string; name: string; logo_url?: string | null }[];
  isDisabled: boolean;
  onChoose(slug: string): void;
}) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {firms.map(({ slug, name, logo_url }) => (
        <li key={slug}>
          <button
            type="button"
            disabled={isDisabled}
            className="flex w-full items-center gap-2 px-4 py-3 text-left outline-offset-[-2px] hover:bg-hover disabled:opacity-50"
            onClick={() => onChoose(slug)}
          >
            <FirmLogo url={logo_url} className="h-6 max-w-24" />
            <span className="font-medium">{name}</span> <span className="text-muted">{slug}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
