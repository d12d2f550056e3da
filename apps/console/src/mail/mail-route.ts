import { getRouteApi } from '@tanstack/react-router';

/** The mail page. Its search has the mailbox, the folder and the open message. */
export const mailRoute = getRouteApi('/firm/mail');
