import { type Attachment, attachmentPath, type MailAttachment, thumbnailPath } from '@firmdesk/contract';
import { Download, FileText, FileX, ImageIcon } from 'lucide-react';
import { useState } from 'react';
import { firm } from '../session/firm.ts';
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

function FileLink({ file: { id, name, type, size } }: { file: AnyFile }) {
  const Icon = type.startsWith('image/') ? ImageIcon : FileText;
  return (
    <a
      href={attachmentPath(firm!, id)}
      download={name}
      className="flex min-h-11 max-w-full items-center gap-2 rounded-md border border-line bg-surface px-3 py-2 hover:bg-hover"
    >
      <Icon size={18} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-xs text-muted">
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
