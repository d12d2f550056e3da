import { idOf } from '@firmdesk/contract';
import { openDataFile, type Services } from '@firmdesk/domain';
import type { RequestHandler } from 'express';
import { Downloads } from './downloads.ts';
import { closed, disposition, type FilePath, fileHandler, fileHeaders, sendContent } from './send-content.ts';

/** Returns the handler that serves the files of exports of people and of the firm at `/data-files/FIRM/ID`. */
export function dataFileHandler(services: Services): RequestHandler<FilePath> {
  const downloads = new Downloads();
  return fileHandler(services, 'firm.data.download', async (call, req, res) => {
    const id = idOf('dataRequest').safeParse(req.params.id).data;
    const file = await openDataFile(services, call, id ?? '');
    await downloads.run(call.identity!.user.id, async () => {
      const signal = closed(res);
      signal.throwIfAborted();
      const content = req.method === 'HEAD' ? null : await file.read();
      res.writeHead(200, {
        ...fileHeaders,
        'Cache-Control': 'private, no-store',
        'Content-Type': file.type,
        'Content-Length': file.size,
        'Content-Disposition': disposition('attachment', file.name),
      });
      if (content)
        await sendContent(services, call, res, { file: req.params.id, content, size: file.size, signal });
      else res.end();
    });
  });
}
