/** Returns the name of this browser in the list of sessions. */
export function browserName(): string {
  const agent = navigator.userAgent;
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(name)) ?? 'Browser';
  // An iPhone also calls itself “like Mac OS X”, and an Android phone Linux.
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'].find((name) =>
    agent.includes(name),
  );
  return `${browser === 'Edg' ? 'Edge' : browser}${system ? ` on ${system}` : ''}`;
}
