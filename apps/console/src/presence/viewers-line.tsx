import type { PresenceEvent } from '@firmdesk/contract';
import { Avatar } from '../ui/avatar.tsx';

/** A colleague who has something open. */
export type Viewer = PresenceEvent['tickets'][number]['viewers'][number];

const SHOWN = 3;

/** The colleagues who have something open, and who of them types. */
export function ViewersLine({
  viewers,
  avatarOf = () => null,
}: {
  viewers: readonly Viewer[];
  avatarOf?: (id: string) => string | null;
}) {
  if (viewers.length === 0) return null;
  const shown = [...viewers].sort((a, b) => Number(b.is_typing) - Number(a.is_typing)).slice(0, SHOWN);
  return (
    <span className="inline-flex max-w-2/5 shrink-0 items-center gap-1.5 px-1.5 text-xs text-muted">
      <span className="flex shrink-0 -space-x-1">
        {shown.map(({ id, name }) => (
          <Avatar key={id} name={name} url={avatarOf(id)} size="small" className="ring-2 ring-surface" />
        ))}
      </span>
      <span className="truncate @max-xl:sr-only">{viewersSentence(viewers)}</span>
    </span>
  );
}

/** Returns who types, or else who has it open. */
export function viewersSentence(viewers: readonly Viewer[]): string {
  const typing = viewers.filter(({ is_typing }) => is_typing);
  return typing.length > 0 ? `${namesOf(typing)} typing…` : `${namesOf(viewers)} viewing`;
}

function namesOf([first, ...others]: readonly Viewer[]): string {
  if (others.length === 0) return `${first!.name} is`;
  return others.length === 1
    ? `${first!.name} and ${others[0]!.name} are`
    : `${first!.name} and ${others.length} others are`;
}
