import { Eye, PencilLine } from 'lucide-react';
import { ViewersLine, viewersSentence } from '../presence/viewers-line.tsx';
import { useViewers } from './presence.ts';
import { useSupportDirectory } from './properties/use-support-directory.ts';

/** The colleagues who have the open ticket open, and who of them types. */
export function Viewers({ ticketId }: { ticketId: string }) {
  const agents = useSupportDirectory()?.agents ?? [];
  return (
    <ViewersLine
      viewers={useViewers(ticketId)}
      avatarOf={(id) => agents.find((agent) => agent.id === id)?.avatar_url ?? null}
    />
  );
}

/** A sign in the row of a ticket that colleagues have it open. */
export function ViewersSign({ ticketId }: { ticketId: string }) {
  const viewers = useViewers(ticketId);
  if (viewers.length === 0) return null;
  const Icon = viewers.some(({ is_typing }) => is_typing) ? PencilLine : Eye;
  const sentence = viewersSentence(viewers);
  return (
    <span title={sentence} className="shrink-0 text-accent">
      <Icon size={14} aria-hidden="true" />
      <span className="sr-only">{sentence}</span>
    </span>
  );
}
