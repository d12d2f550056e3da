import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queryClient } from '../api.ts';
import { useSavedViews } from '../inbox/views/saved-views.ts';
import { builtInViewsOf } from '../inbox/views/views.ts';
import { useListedShortcuts } from '../keyboard/shortcuts.ts';
import { useAccount } from '../session/account.ts';
import { isTestData } from '../session/firm-path.ts';
import { signOut } from '../session/sign-out.ts';
import { theme, themeLabels, themes } from '../theme.ts';
import { useSupportDirectory } from '../tickets/properties/use-support-directory.ts';
import { whenIdle } from '../when-idle.ts';
import { destinationsFor } from './navigation.ts';

/** The list of the settings, which is no part of the first load. */
const settingsPages = {
  queryKey: ['settings-pages'],
  queryFn: () => import('../settings/settings-pages.ts'),
  staleTime: Number.POSITIVE_INFINITY,
};
whenIdle(() => void queryClient.prefetchQuery(settingsPages));

/** An entry of the command menu. */
export interface Command {
  id: string;
  /** The text that is searched and shown. */
  name: string;
  group: string;
  keys?: string;
  run(): void;
}

/** Returns what the command menu offers: actions of the page, pages, views, people, tags, the themes and signing out. */
export function useCommands(): Command[] {
  const navigate = useNavigate();
  const { permissions, user, workspace } = useAccount();
  const mayViewTickets = permissions.includes('view_tickets');
  // The shortcuts from before the menu opened: no other one is active while it is open.
  const shortcuts = useListedShortcuts();
  const saved = useSavedViews(mayViewTickets);
  const directory = useSupportDirectory(mayViewTickets);
  const settings = useQuery(settingsPages).data;
  const toTickets = (search: object) => void navigate({ to: '/tickets', search });
  const command = (group: string, id: string | number, name: string, run: () => void): Command => ({
    id: `${group} ${id}`,
    group,
    name,
    run,
  });
  return [
    ...shortcuts
      .filter(({ keys, group }) => keys !== 'mod+k' && group !== 'Go to')
      .map(({ keys, label, group, run }) => ({ id: `shortcut ${keys}`, name: label, group, keys, run })),
    ...destinationsFor(permissions).map(({ to, label, keys }) => ({
      ...command('Pages', to, label, () => void navigate({ to })),
      keys,
    })),
    ...(settings?.settingsFor(permissions, { isTest: isTestData(workspace.slug) }) ?? []).map(
      ({ to, hash, label }) =>
        command('Settings', label, label, () => void navigate({ to, ...(hash && { hash }) })),
    ),
    ...(mayViewTickets
      ? [
          command('Views', 'overdue', 'Overdue', () => toTickets({ due: 'breached', sort: 'next_due_at' })),
          command('Views', 'due soon', 'Due within 1 hour', () =>
            toTickets({ due: '60m', sort: 'next_due_at' }),
          ),
          ...builtInViewsOf(user.id).map(({ name, search }) =>
            command('Views', name, name, () => toTickets(search)),
          ),
          ...saved.map(({ id, name, search }) => command('Views', id, name, () => toTickets(search))),
          ...(directory?.agents ?? []).map(({ id, name }) =>
            command('Tickets of a teammate', id, name, () => toTickets({ assignee: id })),
          ),
          ...(directory?.tags ?? []).map(({ id, name }) =>
            command('Tickets with a tag', id, name, () => toTickets({ tag: String(id) })),
          ),
        ]
      : []),
    ...themes.map((each) =>
      command('Theme', each, `Theme: ${themeLabels[each].toLowerCase()}`, () => theme.set(each)),
    ),
    command('Account', 'sign out', 'Sign out', () => void signOut()),
  ];
}
