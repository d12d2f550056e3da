/** A list of firms to choose from. */
export function FirmList({
  firms,
  isDisabled,
  onChoose,
}: {
  firms: readonly { slug: string; name: string }[];
  isDisabled: boolean;
  onChoose(slug: string): void;
}) {
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
      {firms.map(({ slug, name }) => (
        <li key={slug}>
          <button
            type="button"
            disabled={isDisabled}
            className="w-full px-4 py-3 text-left outline-offset-[-2px] hover:bg-hover disabled:opacity-50"
            onClick={() => onChoose(slug)}
          >
            <span className="font-medium">{name}</span> <span className="text-muted">{slug}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
