/** Calls a function when a notification of the service worker was clicked, until the returned function is called. */
export function followClicks(onOpen: (id: string | null, page: string) => void): () => void {
  const onMessage = ({ data }: MessageEvent) => {
    if (data?.type === 'notification_clicked') onOpen(data.id, data.page);
  };
  navigator.serviceWorker?.addEventListener('message', onMessage);
  return () => navigator.serviceWorker?.removeEventListener('message', onMessage);
}
