import { type Attachment, attachmentPath } from '@firmdesk/contract';
import { Download, FileText, FileX, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { firm } from '../session/firm.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formatSize } from './file-size.ts';

/** The files of a message: images inline, documents as links. */
export function MessageFiles({ files }: { files: readonly Attachment[] }) {
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

function MessageFile({ file }: { file: Attachment }) {
  const [isBroken, setBroken] = useState(false);
  if (file.deleted)
    return (
      <Row icon={<FileX size={16} aria-hidden="true" />}>
        This file was deleted, because the account of the trader or its author was.
      </Row>
    );
  if (!file.type.startsWith('image/')) return <DocumentLink file={file} />;
  if (isBroken)
    return <Row icon={<ImageOff size={16} aria-hidden="true" />}>{file.name} could not be shown.</Row>;
  return <Picture file={file} onBroken={() => setBroken(true)} />;
}

function Picture({ file: { id, name, size }, onBroken }: { file: Attachment; onBroken(): void }) {
  const [isLarge, setLarge] = useState(false);
  const path = attachmentPath(firm!, id);
  return (
    <>
      <button
        type="button"
        aria-label={`${name}, enlarge`}
        onClick={() => setLarge(true)}
        className="block h-44 min-w-11 max-w-full overflow-hidden rounded-md border border-line bg-canvas"
      >
        <img
          src={path}
          alt=""
          loading="lazy"
          onError={onBroken}
          className="h-full max-w-full object-contain"
        />
      </button>
      <Dialog title={name} isOpen={isLarge} onOpenChange={setLarge}>
        <img src={path} alt={name} className="mx-auto max-h-[62vh] max-w-full rounded" />
        <a
          href={path}
          download={name}
          className="mt-3 inline-flex min-h-8 items-center gap-1.5 text-accent hover:underline"
        >
          <Download size={14} aria-hidden="true" /> Download, {formatSize(size)}
        </a>
      </Dialog>
    </>
  );
}

function DocumentLink({ file: { id, name, size } }: { file: Attachment }) {
  return (
    <a
      href={attachmentPath(firm!, id)}
      download={name}
      className="flex min-h-11 max-w-full items-center gap-2 rounded-md border border-line bg-surface px-3 py-2 hover:bg-hover"
    >
      <FileText size={18} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-xs text-muted">PDF, {formatSize(size)}</span>
      </span>
    </a>
  );
}

function Row({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <p className="flex items-center gap-2 rounded-md border border-dashed border-line-strong px-3 py-2 text-muted">
      <span className="shrink-0">{icon}</span>
      <span className="wrap-anywhere">{children}</span>
    </p>
  );
}
