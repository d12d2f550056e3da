export const folders = ['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash'] as const;
export type Folder = (typeof folders)[number];
