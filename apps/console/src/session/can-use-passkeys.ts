/** Whether this browser has passkeys for this page, which must be secure. */
export const canUsePasskeys = typeof PublicKeyCredential === 'function';
