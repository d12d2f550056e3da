import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** A push token is unique among the sessions of one account and firm; other sessions may have the same token. */
export class SharedPushTokens extends ConcurrentIndexes {
  protected override readonly create = {
    devices_owner_device_token: 'devices (app, device_token, user_id, workspace_id)',
  };
  protected override readonly unique = ['devices_owner_device_token'];
  protected override readonly drop = ['devices_device_token'];
}
