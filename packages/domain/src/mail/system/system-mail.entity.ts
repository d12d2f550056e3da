import type { deliveryStates } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../access/accounts/user.entity.ts';

/** A mail that the product writes itself, for one recipient. It is in no mailbox. */
export const SystemMailSchema = defineEntity({
  name: 'SystemMail',
  tableName: 'system_mails',
  properties: {
    workspaceId: p.integer().primary(),
    id: p.uuid().primary(),
    /** The account that gets it, or in whose name it is sent. It is not sent once the account has left the firm. */
    userId: p.manyToOne(User).mapToPk().fieldName('user_id'),
    kind: p.text(),
    /** What the mail is about. A second mail with the same subject is not stored. */
    subject: p.text(),
    content: p.json(),
    createdAt: p.datetime(3),
    /** After this time it is of no use. */
    expiresAt: p.datetime(3),
    /** How many jobs have tried to send it. A job for another attempt does nothing. */
    attempts: p.integer().default(0),
    state: p.text().$type<(typeof deliveryStates)[number]>().default('queued'),
    /** The words of the mail server, or the reason. */
    detail: p.text().nullable(),
  },
});
