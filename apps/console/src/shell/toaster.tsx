import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { useStoredValue } from '../stored-value.ts';
import { theme } from '../theme.ts';
import { useMedia } from '../ui/use-media.ts';
import { setToaster } from './toast.ts';

const MAX_TOASTS = 3;
/** Whether the list is beside the ticket. */
const isWide = matchMedia('(width >= 64rem)');

/**
 * The toasts, below each other, so that none covers the actions of another. They never cover the composer: beside the list they are
 * at the bottom of the side bar and the list, on a narrow screen at the top.
 */
export function Toaster() {
  const hasList = useMedia(isWide);
  // The effects of a child run first: the list below is there.
  useEffect(() => setToaster(toast), []);
  return (
    <Sonner
      theme={useStoredValue(theme)}
      containerAriaLabel="Latest actions"
      position={hasList ? 'bottom-left' : 'top-center'}
      // Above the button that refreshes the list; below the header.
      offset={hasList ? { bottom: 56, left: 16 } : { top: 56 }}
      mobileOffset={{ top: 56 }}
      visibleToasts={MAX_TOASTS}
      expand
      closeButton
    />
  );
}
