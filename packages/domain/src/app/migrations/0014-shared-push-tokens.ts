import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Sessions of different accounts or firms may hold one push token; two sessions of one account and firm may not. */
export class SharedPushTokens extends ConcurrentIndexes {
  protected override readonly create = {
    devices_owner_device_token: 'devices (app, device_token, user_id, workspace_id)',
  };
  protected override readonly unique = ['devices_owner_device_token'];
  protected override readonly drop = ['devices_device_token'];
}
