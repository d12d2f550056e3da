let title = '';
let count = 0;

/** Sets the title of the page, behind the number that the tab shows. */
export function setPageTitle(next: string): void {
  title = next;
  show();
}

/** Sets the number that the tab shows before its title: the unread notifications. None is shown for 0. */
export function setTabCount(next: number): void {
  count = next;
  show();
}

function show(): void {
  document.title = `${count > 0 ? `(${count > 99 ? '99+' : count}) ` : ''}${title} · Firmdesk`;
}
