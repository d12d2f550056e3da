import { lazy } from 'react';
import { whenIdle } from '../when-idle.ts';

/*
 * The dialogs of tickets and their views. Their code is fetched when a dialog is first opened, or before when the browser is idle, so that it
 * also opens without a network.
 */

const newTicket = () => import('./create/new-ticket-dialog.tsx');
const linkTicket = () => import('./links/link-ticket-dialog.tsx');
const snooze = () => import('./properties/snooze-dialog.tsx');
const mergeTicket = () => import('./links/merge-ticket-dialog.tsx');
const view = () => import('../inbox/views/view-dialog.tsx');

export const NewTicketDialog = lazy(async () => ({ default: (await newTicket()).NewTicketDialog }));
export const LinkTicketDialog = lazy(async () => ({ default: (await linkTicket()).LinkTicketDialog }));
export const SnoozeDialog = lazy(async () => ({ default: (await snooze()).SnoozeDialog }));
export const MergeTicketDialog = lazy(async () => ({ default: (await mergeTicket()).MergeTicketDialog }));
export const ViewDialog = lazy(async () => ({ default: (await view()).ViewDialog }));

whenIdle(() => {
  if (!navigator.onLine) return;
  for (const load of [newTicket, snooze, linkTicket, mergeTicket, view]) void load().catch(() => {});
});
