export function AssistantSettingsPage() {
  return null;
}
