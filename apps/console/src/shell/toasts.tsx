import { type ComponentType, useEffect, useState } from 'react';

/** After a failure, the toaster is loaded again at this interval. */
const RETRY_MS = 5_000;

/** The toasts of {@link toast}. Their code is loaded after the first page, and again until it succeeds. */
export function Toasts() {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType } | null>(null);
  useEffect(() => {
    let retry: ReturnType<typeof setTimeout>;
    const load = () =>
      import('./toaster.tsx').then(setLoaded, () => {
        retry = setTimeout(load, RETRY_MS);
      });
    void load();
    return () => clearTimeout(retry);
  }, []);
  return loaded && <loaded.Toaster />;
}
