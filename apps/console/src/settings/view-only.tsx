/** Says that the settings cannot be changed with the account's permissions. */
export function ViewOnly() {
  return (
    <p className="rounded-md border border-line bg-surface px-4 py-3 text-muted">
      You can view these settings. To change them, you need the permission to manage the assistant.
    </p>
  );
}
