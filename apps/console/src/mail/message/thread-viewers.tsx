import { useEffect, useRef, useState } from 'react';
import { client } from '../../api.ts';
import { useIsVisible } from '../../presence/use-is-visible.ts';
import { type Viewer, ViewersLine } from '../../presence/viewers-line.tsx';
import { useAccount } from '../../session/account.ts';

/** After this time without an input, its author does not type any more. */
const PAUSE_MS = 4_000;

/** Shows colleagues that a conversation is open in this window while it is visible, and which of them have it open. */
export function ThreadViewers({ thread, isTyping }: { thread: number; isTyping: boolean }) {
  const { user } = useAccount();
  const isVisible = useIsVisible();
  const [viewers, setViewers] = useState<readonly Viewer[]>([]);
  useEffect(() => {
    if (!isVisible) return;
    const clear = () => setViewers([]);
    const attending = client.mail.threads.attend.subscribe(
      { thread, typing: isTyping },
      // Without presence the conversation works as well.
      { onData: ({ data }) => setViewers(data.viewers), onError: clear },
    );
    return () => attending.unsubscribe();
  }, [thread, isTyping, isVisible]);
  return <ViewersLine viewers={viewers.filter(({ id }) => id !== user.id)} />;
}

/** Returns whether somebody types, and what notes an input. */
export function useTyping(): [isTyping: boolean, onInput: () => void] {
  const [isTyping, setTyping] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onInput = () => {
    setTyping(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTyping(false), PAUSE_MS);
  };
  return [isTyping, onInput];
}
