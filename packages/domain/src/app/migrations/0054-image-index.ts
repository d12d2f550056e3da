import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Finds the tickets with an image without reading the messages of all others. */
export class ImageIndex extends ConcurrentIndexes {
  protected override readonly create = {
    ticket_messages_with_image: 'ticket_messages (workspace_id, ticket_id) where image_url is not null',
  };
}
