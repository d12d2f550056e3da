import { useAccount } from '../session/account.ts';

/** Says on each page in which firm the service’s staff act. Two firms look alike otherwise: each has a colour of its own. */
export function StaffBar() {
  const { workspace } = useAccount();
  return (
    <section
      aria-label="Staff"
      // Dark enough for white text in every hue.
      style={{ backgroundColor: `oklch(0.42 0.12 ${hueOf(workspace.slug)})` }}
      className="shrink-0 truncate px-4 py-1 text-center text-white"
    >
      You act as Firmdesk staff in <strong className="font-semibold">{workspace.name}</strong>{' '}
      <a href="/staff" className="underline">
        All firms
      </a>
    </section>
  );
}

/** Returns a hue in degrees for a firm, always the same. Similar names get different ones. */
function hueOf(slug: string): number {
  let hash = 0;
  for (const character of slug) hash = (hash * 31 + character.charCodeAt(0)) % 360;
  // The golden angle spreads neighbouring values.
  return Math.round(hash * 137.5) % 360;
}
