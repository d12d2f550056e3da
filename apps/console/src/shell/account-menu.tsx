import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useAccount } from '../session/account.ts';
import { signOut } from '../session/sign-out.ts';
import { useStoredValue } from '../stored-value.ts';
import { theme, themeLabels, themes } from '../theme.ts';
import { useSupportDirectory } from '../tickets/properties/use-support-directory.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../ui/overlays/menu.tsx';

const AvailabilityChoice = lazy(() => import('./availability-choice.tsx'));

export function AccountMenu({ onShowShortcuts }: { onShowShortcuts(): void }) {
  const { user, permissions } = useAccount();
  const chosenTheme = useStoredValue(theme);
  const navigate = useNavigate();
  const agents = useSupportDirectory(permissions.includes('view_tickets'))?.agents;
  const picture = agents?.find(({ id }) => id === user.id)?.avatar_url ?? null;
  return (
    <Menu
      label="Account"
      align="end"
      trigger={
        <button type="button" className="rounded-full">
          <Avatar name={user.name} url={picture} label={`Account of ${user.name}`} />
        </button>
      }
    >
      <MenuLabel>{user.email}</MenuLabel>
      {permissions.includes('view_tickets') && permissions.includes('manage_tickets') && (
        <Suspense fallback={null}>
          <AvailabilityChoice />
        </Suspense>
      )}
      <MenuItem onSelect={() => void navigate({ to: '/account/sessions' })}>Account settings</MenuItem>
      <MenuItem onSelect={onShowShortcuts} keys="?">
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      {themes.map((each) => (
        <MenuChoice key={each} isChosen={each === chosenTheme} onSelect={() => theme.set(each)}>
          {themeLabels[each]}
        </MenuChoice>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>Sign out</MenuItem>
    </Menu>
  );
}
