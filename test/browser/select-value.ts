import type { Locator } from 'playwright-core';

/** Chooses a value of a select field by its name. */
export async function selectValue(field: Locator, name: string): Promise<void> {
  await field.click();
  await field.page().getByRole('option', { name, exact: true }).click();
}
