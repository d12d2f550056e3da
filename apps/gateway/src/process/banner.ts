import type { Gateway } from '../gateway.ts';

/** Returns the text printed when a gateway is ready: its URLs, and commands to paste. */
export function banner({ url, role, hasConsole, demo, note }: Gateway): string {
  const lines = ['', `Firmdesk${role === 'worker' ? '’s worker' : ''} listens on ${url}`];
  if (hasConsole) lines.push(`  console    ${url}/`);
  if (role !== 'worker') lines.push(`  reference  ${url}/docs/`);
  lines.push(`  health     ${url}/readyz`);
  if (note) lines.push('', note);
  if (demo) {
    const { email, password, token } = demo;
    lines.push('', 'Demo data');
    if (password !== null) lines.push(`  sign-in    ${email}  ${password}`);
    lines.push(
      `  token      ${token}`,
      '',
      'Try',
      `  curl -s -H 'Authorization: Bearer ${token}' ${url}/v1/ping`,
    );
    if (password !== null) {
      lines.push(
        `  curl -s -H 'Content-Type: application/json' -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)" -d '${JSON.stringify({ email, password })}' ${url}/v1/sessions`,
      );
    }
  }
  return `${lines.join('\n')}\n\n`;
}
