/** The reserved workspace of the service's own staff. */
export const PLATFORM = 'platform';

/** What the slug of a sandbox has after the firm's slug. No firm's slug contains a dot. */
export const SANDBOX_SUFFIX = '.test';
