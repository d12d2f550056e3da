import { formChecks } from './form-link.ts';

/** Loads the schemas of the forms. A form that is sent before they are here, or that has no schema, is checked by the service alone. */
export function loadFormChecks(): void {
  import('./check-input.ts').then(
    ({ checkInput }) => {
      formChecks.check = checkInput;
    },
    // Without a network; the next form tries again.
    () => {},
  );
}
