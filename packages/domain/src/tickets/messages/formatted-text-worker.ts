/** The worker thread of `formatted-body.ts`. */
import { serveTasks } from '../../platform/process/serve-tasks.ts';
import { cleanFormatted } from './formatted-text.ts';

serveTasks(cleanFormatted);
