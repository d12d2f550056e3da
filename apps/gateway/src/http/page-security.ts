import helmet from 'helmet';

type Directives = NonNullable<
  Exclude<NonNullable<Parameters<typeof helmet>[0]>['contentSecurityPolicy'], boolean | undefined>
>['directives'];

/** Express middleware that lets a page load only what this origin serves, and what the directives add. */
export function pageSecurity(directives: Directives) {
  return helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'connect-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
        ...directives,
      },
    },
  });
}

/** Returns the origin of a URL, or `'self'` if the console is reached by no known URL. */
export function originOf(url: string): string {
  return url === '' ? "'self'" : new URL(url).origin;
}
