import type { Page } from 'playwright-core';

/** Returns the recipients that a field of a draft has, as it shows them. */
export function recipientsOf(page: Page, label: 'To' | 'Cc' | 'Bcc' = 'To'): Promise<string[]> {
  return page
    .getByRole('list', { name: `${label}: recipients`, exact: true })
    .getByRole('listitem')
    .allTextContents();
}
