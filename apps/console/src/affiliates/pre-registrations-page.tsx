export function PreRegistrationsPage() {
  return null;
}
