import { client } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';

/** Downloads an event as an iCalendar file. */
export async function downloadEvent({ id, title }: { id: number; title: string }): Promise<void> {
  try {
    const { ics } = await client.calendar.ics.query({ id });
    const url = URL.createObjectURL(new Blob([ics], { type: 'text/calendar' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${title.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ').trim() || 'Event'}.ics`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url));
  } catch (error) {
    reportError(error, `Couldn’t download “${title}”`);
  }
}
