import { Access } from './0001-access.ts';
import { Mail } from './0002-mail.ts';
import { Calendars } from './0003-calendar.ts';
import { Tickets } from './0004-tickets.ts';
import { Notices } from './0005-notices.ts';
import { WorldImports } from './0006-world-imports.ts';
import { Live } from './0007-live.ts';
import { Push } from './0008-push.ts';
import { Bell } from './0009-bell.ts';
import { KnownDevices } from './0010-known-devices.ts';

/** In order. A migration that has landed is never changed: the next one mends it. */
export const migrations = [
  { name: '0001-access', class: Access },
  { name: '0002-mail', class: Mail },
  { name: '0003-calendar', class: Calendars },
  { name: '0004-tickets', class: Tickets },
  { name: '0005-notices', class: Notices },
  { name: '0006-world-imports', class: WorldImports },
  { name: '0007-live', class: Live },
  { name: '0008-push', class: Push },
  { name: '0009-bell', class: Bell },
  { name: '0010-known-devices', class: KnownDevices },
];
