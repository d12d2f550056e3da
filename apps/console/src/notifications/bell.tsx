import { Bell as BellIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import { lazy, Suspense, useState } from 'react';
import { LoadingRows } from '../ui/states.tsx';
import { whenIdle } from '../when-idle.ts';
import { useFollowNotifications, useUnread } from './follow-notifications.ts';

const loadLatest = () => import('./latest-notifications.tsx');
/** Loaded before it is opened. */
const LatestNotifications = lazy(async () => ({ default: (await loadLatest()).LatestNotifications }));
whenIdle(() => void loadLatest().catch(() => {}));

/** The bell in the header: the unread count and, in a popover, the latest notifications. */
export function Bell() {
  const [isOpen, setOpen] = useState(false);
  const unread = useUnread();
  useFollowNotifications();
  const shown = unread !== null && unread > 99 ? '99+' : unread;
  const label = shown ? `Notifications, ${shown} unread` : 'Notifications';
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={label}
        title={label}
        className="relative inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
      >
        <BellIcon size={17} aria-hidden="true" />
        {!!shown && (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 -right-1 max-md:top-1 max-md:right-1 min-w-4 rounded-full bg-accent-solid px-1 text-center text-xs leading-4 font-semibold text-on-accent tabular-nums"
          >
            {shown}
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Notifications"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-40 flex max-h-[min(36rem,var(--radix-popover-content-available-height))] w-[min(26rem,calc(100vw-1rem))] flex-col rounded-xl border border-line bg-raised shadow-2xl outline-none"
        >
          <Suspense fallback={<LoadingRows label="Loading notifications" rows={4} />}>
            <LatestNotifications unread={unread ?? 0} onClose={() => setOpen(false)} />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
