import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { useStoredValue } from '../stored-value.ts';
import { theme } from '../theme.ts';
import { setToaster } from './toast.ts';

const MAX_TOASTS = 3;
/** Whether the style sheet can place the toasts at a `toast-place`. A browser that cannot shows them below the header. */
const hasPlaces = CSS.supports('bottom: anchor(--toasts bottom)');

/** The toasts, above each other, so that none covers the actions of another. They never cover the composer. */
export function Toaster() {
  // The effects of a child run first: the list below is there.
  useEffect(() => setToaster(toast), []);
  return (
    <Sonner
      theme={useStoredValue(theme)}
      containerAriaLabel="Latest actions"
      position={hasPlaces ? 'bottom-center' : 'top-center'}
      offset={{ top: 56 }}
      mobileOffset={{ top: 56 }}
      visibleToasts={MAX_TOASTS}
      expand
      closeButton
    />
  );
}
