export const preRegistrationStatuses = ['pending', 'claimed', 'revoked', 'expired'] as const;
export type PreRegistrationStatus = (typeof preRegistrationStatuses)[number];
