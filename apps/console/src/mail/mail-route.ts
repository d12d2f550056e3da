import { getRouteApi } from '@tanstack/react-router';

/** Mailbox, folder and open message stand in the address. */
export const mailRoute = getRouteApi('/firm/mail');
