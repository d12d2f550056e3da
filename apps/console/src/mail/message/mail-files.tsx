import { type LeftOutFiles, MAX_MAIL_ATTACHMENTS, type OpenMailMessage } from '@firmdesk/contract';
import { FileX } from 'lucide-react';
import { useMemo } from 'react';
import { MessageFiles } from '../../attachments/message-files.tsx';
import { divideFiles } from './inline-images.ts';

const reasons: Record<LeftOutFiles['reason'], string> = {
  too_large: 'larger than 25 MB',
  too_many: `a message keeps at most ${MAX_MAIL_ATTACHMENTS} files`,
  empty: 'empty',
};

/** The files of a message, except the images that its text shows, and those that were not kept. */
export function MailFiles({ message }: { message: OpenMailMessage }) {
  const { body, attachments, left_out } = message;
  const { listed } = useMemo(() => divideFiles({ body, attachments }), [body, attachments]);
  if (listed.length === 0 && left_out.length === 0) return null;
  return (
    <div className="max-h-72 shrink-0 overflow-y-auto border-b border-line px-5 pt-1 pb-3">
      <MessageFiles files={listed} />
      {left_out.map(({ reason, count, names }) => (
        <p key={reason} className="mt-2 flex items-start gap-2 text-muted">
          <FileX size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
          <span className="wrap-anywhere">
            {count === 1 ? '1 file was' : `${count} files were`} not kept ({reasons[reason]}):{' '}
            {names.join(', ')}
            {count > names.length && ' and others'}
          </span>
        </p>
      ))}
    </div>
  );
}
