import {
  type Attachment,
  attachmentPath,
  isProgramName,
  type MailAttachment,
  thumbnailPath,
} from '@firmdesk/contract';
import { CircleAlert, Clock, Download, FileText, FileX, ImageIcon, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { firm } from '../session/firm.ts';
import { classNames } from '../ui/class-names.ts';
import { EnlargeableImage } from '../ui/enlargeable-image.tsx';
import { formatSize } from './file-size.ts';

type AnyFile = Attachment | MailAttachment;

/** The files of a message: images inline; documents, and images that cannot be shown, as links. */
export function MessageFiles({ files }: { files: readonly AnyFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Files" className="mt-2 flex flex-wrap gap-2">
      {files.map((file) => (
        <li key={file.id} className="max-w-full">
          <MessageFile file={file} />
        </li>
      ))}
    </ul>
  );
}

function MessageFile({ file }: { file: AnyFile }) {
  const [isBroken, setBroken] = useState(false);
  if (file.deleted)
    return (
      <Row icon={<FileX size={16} aria-hidden="true" />}>
        This file was deleted, because the account of the trader or its author was.
      </Row>
    );
  if (file.scan === 'infected')
    return (
      <Row icon={<ShieldAlert size={16} aria-hidden="true" className="text-danger" />}>
        <span className="font-medium">{file.name}</span> contains malware and can’t be opened.
      </Row>
    );
  if (file.scan === 'waiting')
    return (
      <Row icon={<Clock size={16} aria-hidden="true" />}>
        <span className="font-medium">{file.name}</span> is being checked for malware.
      </Row>
    );
  if (!file.type.startsWith('image/') || isBroken) return <FileLink file={file} />;
  const { id, name, size } = file;
  const path = attachmentPath(firm!, id);
  return (
    <EnlargeableImage
      src={path}
      thumbnail={thumbnailPath(firm!, { id, size })}
      name={name}
      onBroken={() => setBroken(true)}
    >
      <a
        href={path}
        download={name}
        className="mt-3 inline-flex min-h-8 items-center gap-1.5 text-accent hover:underline"
      >
        <Download size={14} aria-hidden="true" /> Download, {formatSize(size)}
      </a>
    </EnlargeableImage>
  );
}

function FileLink({ file: { id, name, type, size, program } }: { file: AnyFile }) {
  const isProgram = program === true || isProgramName(name);
  const Icon = isProgram ? CircleAlert : type.startsWith('image/') ? ImageIcon : FileText;
  return (
    <a
      href={attachmentPath(firm!, id)}
      download={name}
      className={classNames(
        'flex min-h-11 max-w-full items-center gap-2 rounded-md border bg-surface px-3 py-2 hover:bg-hover',
        isProgram ? 'border-danger/40' : 'border-line',
      )}
    >
      <Icon
        size={18}
        aria-hidden="true"
        className={classNames('shrink-0', isProgram ? 'text-danger' : 'text-muted')}
      />
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-xs text-muted">
          {isProgram && (
            <strong className="font-medium text-danger">Program: it can harm your computer. </strong>
          )}
          {kindOf(name, type)}, {formatSize(size)}
        </span>
      </span>
    </a>
  );
}

/** Returns what to call the kind of a file: a recognized type, or the end of its name. */
function kindOf(name: string, type: AnyFile['type']): string {
  if (type === 'application/pdf') return 'PDF';
  return /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? 'File';
}

function Row({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <p className="flex items-center gap-2 rounded-md border border-dashed border-line-strong px-3 py-2 text-muted">
      <span className="shrink-0">{icon}</span>
      <span className="wrap-anywhere">{children}</span>
    </p>
  );
}
