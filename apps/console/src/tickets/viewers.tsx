import { Eye, PencilLine } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';
import { useViewers, type Viewer } from './presence.ts';
import { useSupportDirectory } from './properties/use-support-directory.ts';

const SHOWN = 3;

/** The colleagues who have the open ticket open, and who of them types. */
export function Viewers({ ticketId }: { ticketId: string }) {
  const viewers = useViewers(ticketId);
  const agents = useSupportDirectory()?.agents ?? [];
  if (viewers.length === 0) return null;
  const shown = [...viewers].sort((a, b) => Number(b.is_typing) - Number(a.is_typing)).slice(0, SHOWN);
  return (
    <span className="inline-flex max-w-2/5 shrink-0 items-center gap-1.5 px-1.5 text-xs text-muted">
      <span className="flex shrink-0 -space-x-1">
        {shown.map(({ id, name }) => (
          <Avatar
            key={id}
            name={name}
            url={agents.find((agent) => agent.id === id)?.avatar_url ?? null}
            size="small"
            className="ring-2 ring-surface"
          />
        ))}
      </span>
      <span className="truncate @max-xl:sr-only">{sentenceOf(viewers)}</span>
    </span>
  );
}

/** A sign in the row of a ticket that colleagues have it open. */
export function ViewersSign({ ticketId }: { ticketId: string }) {
  const viewers = useViewers(ticketId);
  if (viewers.length === 0) return null;
  const Icon = viewers.some(({ is_typing }) => is_typing) ? PencilLine : Eye;
  const sentence = sentenceOf(viewers);
  return (
    <span title={sentence} className="shrink-0 text-accent">
      <Icon size={14} aria-hidden="true" />
      <span className="sr-only">{sentence}</span>
    </span>
  );
}

function sentenceOf(viewers: readonly Viewer[]): string {
  const typing = viewers.filter(({ is_typing }) => is_typing);
  return typing.length > 0 ? `${namesOf(typing)} typing…` : `${namesOf(viewers)} viewing`;
}

function namesOf([first, ...others]: readonly Viewer[]): string {
  if (others.length === 0) return `${first!.name} is`;
  return others.length === 1
    ? `${first!.name} and ${others[0]!.name} are`
    : `${first!.name} and ${others.length} others are`;
}
