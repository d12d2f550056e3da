import { whenIdle } from '../when-idle.ts';

let editor: typeof import('./editor.ts') | null = null;
let loading: Promise<typeof import('./editor.ts')> | null = null;

/** Returns the editor's code if it is loaded. */
export const loadedEditor = () => editor;

/** Loads the code of the editor, once. A failed load is tried again with the next call. */
export function loadEditor(): Promise<typeof import('./editor.ts')> {
  loading ??= import('./editor.ts').then(
    (loaded) => (editor = loaded),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Loads it before it is needed, once the browser is idle. */
export function preloadEditor(): void {
  if (!editor && !loading) whenIdle(() => void loadEditor().catch(() => {}));
}
