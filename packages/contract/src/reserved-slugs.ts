/** The reserved workspace of the service's own staff. */
export const PLATFORM = 'platform';

/** What the slug of a test twin has after the firm's slug. No firm's slug contains a dot. */
export const TWIN_SUFFIX = '.test';
