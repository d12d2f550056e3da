import { MAX_AVATAR_URL } from '@firmdesk/contract';
import { imageSlots, shrinkImage } from '../../platform/images/shrink-image.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import { decodePicture, openPicture, type Picture } from '../accounts/avatar.ts';

/*
 * Logos. `workspaces.logo` holds a firm's picture as a `data:` URL and `workspaces.logo_hash` its hash, as accounts have their avatars. The gateway
 * serves it at `/logos/HASH`.
 */

/** What a logo is shrunk to: twice the largest size in which it is shown. */
const BOX = { width: 512, height: 256 };

/** Returns whether a firm may have the logo, which is a `data:` URL. */
export function isLogo(url: string): boolean {
  const type = /^data:/i.test(url) ? decodePicture(url)?.type : null;
  return type === 'image/png' || type === 'image/jpeg' || type === 'image/webp';
}

/** Returns a picture that somebody chose as a logo: a PNG picture of bounded size. Throws `validation_failed`, and `rate_limited` if too many wait. */
export async function drawLogo(url: string, workspaceId: number): Promise<string> {
  const picture = isLogo(url) ? decodePicture(url) : null;
  if (!picture) throw invalidField('logo', 'must be a PNG, JPEG or WebP picture');
  try {
    const png = await imageSlots.run(String(workspaceId), () => shrinkImage(picture.content, BOX, 'png'));
    return `data:image/png;base64,${png.toString('base64')}`;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalidField('logo', 'must be a picture that is not damaged and has at most 50 million pixels');
  }
}

/** Returns the URL of the logo with a hash. */
export function logoUrl({ publicUrl }: Pick<Services, 'publicUrl'>, hash: string | null): string | null {
  return hash === null ? null : `${publicUrl()}/logos/${hash}`;
}

/** Returns the logo with a hash; null if no firm has it. */
export async function readLogo({ pool }: Pick<Services, 'pool'>, hash: string): Promise<Picture | null> {
  const { rows } = await pool.query<{ logo: string }>({
    name: 'logo',
    text: 'select logo from workspaces where logo_hash = $1 and length(logo) <= $2 limit 1',
    values: [hash, MAX_AVATAR_URL],
  });
  return rows[0] ? openPicture(rows[0].logo) : null;
}
