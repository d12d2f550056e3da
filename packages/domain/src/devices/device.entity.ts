import type { BrowserKeys, PushApp, PushEnvironment } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { Token } from '../access/tokens/token.entity.ts';

/** The push registration of one app in one session (contract §4.4). `userId` and `workspaceId` are those of the session. */
export const DeviceSchema = defineEntity({
  name: 'Device',
  tableName: 'devices',
  properties: {
    tokenId: p.manyToOne(Token).mapToPk().primary().fieldName('token_id'),
    app: p.text().$type<PushApp>().primary(),
    userId: p.text(),
    workspaceId: p.integer(),
    environment: p.text().$type<PushEnvironment>(),
    /** Of a browser, the URL of its subscription. */
    deviceToken: p.text(),
    /** Those of a browser; null for a phone. */
    keys: p.json().$type<BrowserKeys>().nullable(),
    locale: p.text().nullable(),
    timezone: p.text().nullable(),
    appVersion: p.text().nullable(),
    osVersion: p.text().nullable(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
  },
});
export class Device extends DeviceSchema.class {}
DeviceSchema.setClass(Device);
