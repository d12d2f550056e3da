import { storedValue } from './stored-value.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const themeLabels: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** The chosen theme. `public/theme.js` reads it too, before the first paint. */
export const theme = storedValue<Theme>(
  'theme',
  (stored) => themes.find((known) => known === stored) ?? 'system',
);

/** Applies the theme now and after every change, including changes in other tabs. */
export function followTheme(): void {
  const apply = () => {
    const chosen = theme.get();
    if (chosen === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  };
  apply();
  theme.subscribe(apply);
}
