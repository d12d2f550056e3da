import type { ScanState } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../access/accounts/user.entity.ts';

/**
 * A file of a ticket or of received mail: what the service needs to store, find and delete its content. It belongs to a ticket, to a message
 * of mail, or to neither while a delivery stores it. Messages have what clients show.
 */
export const AttachmentSchema = defineEntity({
  name: 'Attachment',
  tableName: 'attachments',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.text().primary(),
    ticketId: p.text().nullable(),
    mailMessageId: p.text().nullable(),
    uploaderId: p.manyToOne(User).mapToPk().nullable().fieldName('uploader_id'),
    /** The message that contains the file, or will when it is sent; null until then. */
    partOf: p.text().nullable(),
    name: p.text(),
    type: p.text().nullable(),
    size: p.integer(),
    isProgram: p.boolean().default(false),
    /** What a scan for malware has found; null if it is not scanned. */
    scan: p.text().$type<ScanState>().nullable(),
    /** Names the stored content; null for a file of mail. */
    content: p.text().nullable(),
    /** Those that may be in the store and are not part of the file. */
    uploads: p.array().columnType('text[]').default([]),
    createdAt: p.datetime(3),
    uploadedAt: p.datetime(3).nullable(),
    /** Since when a job may delete the contents. */
    deletedAt: p.datetime(3).nullable(),
  },
});
export class Attachment extends AttachmentSchema.class {}
AttachmentSchema.setClass(Attachment);
