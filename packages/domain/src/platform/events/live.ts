import { type EventStream, follow, type Received, type ResumePoint, type Subscription } from './follow.ts';
import { Hub, type HubServices } from './hub.ts';
import { Resumption } from './resume.ts';

/** Delivers the events of the log to this process. */
export interface Live {
  follow(subscription: Subscription): Promise<EventStream>;
  /** Where a subscription continues. See {@link Resumption.resumeOrEnd}. */
  resumeOrEnd(workspaceId: number, received: Received): Promise<ResumePoint>;
  /** The position up to which this process has read the firm's log. */
  readThrough(workspaceId: number): number;
  close(): void;
}

/** Creates the reader of the event log of this process. It reads the logs of firms that have subscribers. */
export function createLive(services: HubServices): Live {
  const hub = new Hub(services);
  const resumption = new Resumption(services.pool);
  return {
    follow: (subscription) => follow({ hub, pool: services.pool }, subscription),
    resumeOrEnd: (workspaceId, received) => resumption.resumeOrEnd(workspaceId, received),
    readThrough: (workspaceId) => hub.readThrough(workspaceId),
    close: () => hub.close(),
  };
}
