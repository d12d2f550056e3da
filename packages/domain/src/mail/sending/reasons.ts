/** Why a mail is not sent, as it is recorded for its recipients. */
export const NO_SERVER = 'no mail server is configured';
export const OF_SANDBOX = 'a sandbox sends no mail to the outside';
export const TOO_LATE = 'What the message is about had ended before it could be sent.';
export const NO_RIGHT = 'The author may no longer send from this mailbox.';
export const HAS_LEFT = 'The account has left the firm.';
