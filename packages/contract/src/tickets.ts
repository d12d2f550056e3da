export const ticketStatuses = ['open', 'awaiting_admin', 'awaiting_trader', 'resolved', 'closed'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** Most urgent first. */
export const ticketPriorities = ['urgent', 'high', 'normal', 'low'] as const;
export type TicketPriority = (typeof ticketPriorities)[number];

export const messageAuthors = ['trader', 'admin', 'ai', 'system'] as const;
export type MessageAuthor = (typeof messageAuthors)[number];
