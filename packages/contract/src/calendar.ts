export const shareLevels = ['busy', 'read', 'write'] as const;
export type ShareLevel = (typeof shareLevels)[number];

export const eventStatuses = ['confirmed', 'pending'] as const;
export type EventStatus = (typeof eventStatuses)[number];

export const eventSources = ['manual', 'mail', 'import'] as const;
export type EventSource = (typeof eventSources)[number];
