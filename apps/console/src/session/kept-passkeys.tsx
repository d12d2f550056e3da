import type { Passkey } from '@firmdesk/contract';

/** Whether a new password also removes the passkeys, which stay otherwise. */
export function RemovePasskeys({
  checked,
  onChange,
}: {
  checked: boolean;
  onChange(checked: boolean): void;
}) {
  return (
    <label className="flex items-start gap-2">
      <input
        type="checkbox"
        className="mt-1"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        Remove all passkeys too
        <span className="block text-muted">If somebody else could have added one.</span>
      </span>
    </label>
  );
}

/** Returns which passkeys still open the account after a new password; empty without any. */
export function keptPasskeysText(passkeys: readonly Passkey[]): string {
  if (passkeys.length === 0) return '';
  const names = passkeys.map(({ name }) => name).join(', ');
  return passkeys.length === 1
    ? `This passkey still opens your account: ${names}.`
    : `These passkeys still open your account: ${names}.`;
}
