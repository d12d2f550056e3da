import { Outlet } from '@tanstack/react-router';
export function InboxPage() {
  return <Outlet />;
}
