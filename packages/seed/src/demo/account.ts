/** The account that a start prints: the support lead, with every permission. */
export const DEMO_EMAIL = 'maya@northgate.example';

/** The password of all demo accounts that can sign in. */
export const DEMO_PASSWORD = 'northgate-demo';

/** The key of the token that a start prints. */
export const DEMO_TOKEN = 'demo';
