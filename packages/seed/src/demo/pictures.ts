/** Pictures as SVG in `data:` URLs, which need no server and no network. */
function svg(width: number, height: number, content: string): string {
  const markup = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui,sans-serif">${content}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(markup)}`;
}

/** Returns a round avatar with initials on a colour. */
export function portrait(initials: string, color: string): string {
  return svg(
    96,
    96,
    `<circle cx="48" cy="48" r="48" fill="${color}"/><text x="48" y="60" font-size="36" text-anchor="middle" fill="#fff">${initials}</text>`,
  );
}

/** Returns a screenshot of a trading terminal with a message, a typical attachment. */
export function screenshot(title: string, text: string): string {
  return svg(
    640,
    240,
    `<rect width="640" height="240" fill="#0f172a"/><rect x="60" y="50" width="520" height="140" rx="6" fill="#f8fafc"/><rect x="60" y="50" width="520" height="34" rx="6" fill="#cbd5e1"/><text x="76" y="73" font-size="15" fill="#0f172a">${title}</text><text x="84" y="134" font-size="19" fill="#0f172a">${text}</text>`,
  );
}
