import type { ExternalToast, toast as sonner } from 'sonner';

const { promise: loaded, resolve } = Promise.withResolvers<typeof sonner>();

/** Shows the toasts, those so far first. Called once the toaster is rendered. */
export const setToaster: (toaster: typeof sonner) => void = resolve;

/** Shows and removes toasts. They wait until the toaster is loaded: its code is not part of the first load. */
export const toast = {
  message: (title: string, options?: ExternalToast) => void loaded.then((to) => to.message(title, options)),
  success: (title: string, options?: ExternalToast) => void loaded.then((to) => to.success(title, options)),
  error: (title: string, options?: ExternalToast) => void loaded.then((to) => to.error(title, options)),
  loading: (title: string, options: { id: string }) => void loaded.then((to) => to.loading(title, options)),
  dismiss: (id: string) => void loaded.then((to) => to.dismiss(id)),
};
