/** The worker thread of `ticket-content.ts`. */
import { serveTasks } from '../../platform/process/serve-tasks.ts';
import { textOfMessage } from '../../platform/process/text-of-message.ts';

serveTasks(async (html: string) => textOfMessage(html, { wordwrap: false }));
