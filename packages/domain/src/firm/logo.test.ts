import { permissions } from '@firmdesk/contract';
import { createSandbox, createTicket, createUser } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { createRatingLink } from '../access/rating-link.ts';
import { newContext } from '../platform/database/transaction.ts';
import { imageSlots } from '../platform/images/shrink-image.ts';
import { renderTemplate } from '../templates/index.ts';

const gateway = await suiteGateway();
const { services } = gateway;

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#1b6e53' } });
const dataUrl = (content: Buffer, type = 'image/png') => `data:${type};base64,${content.toString('base64')}`;
const firmWithLogo = async () => {
  const caller = await createUserWithToken(gateway, { permissions: [...permissions] });
  const set = (logo: string | null, token = caller.token) =>
    gateway.rpc('firm.settings.set', { token, body: { logo } });
  const urlOf = async () => (await gateway.rpc('firm.settings.get', { token: caller.token })).data.logo_url;
  return { ...caller, set, urlOf };
};

test('a logo is drawn anew and served without a token, stands wherever the firm is shown, and is removed', async () => {
  const { firm, token, set, urlOf } = await firmWithLogo();
  const sandbox = await createSandbox(services, firm);
  const noise = Buffer.from(Array.from({ length: 600 * 1_200 * 3 }, (_, i) => (i * 7919 + (i >> 3)) % 251));
  const photo = await sharp(noise, { raw: { width: 600, height: 1_200, channels: 3 } })
    .withExif({ IFD0: { Make: 'SecretMaker' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  // The declared type is that of the file's name; the content decides.
  expect((await set(dataUrl(photo))).data.logo_url).toMatch(
    new RegExp(`^${gateway.url}/logos/[0-9a-f]{64}$`),
  );
  const url = await urlOf();
  const served = await fetch(url);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
  const content = Buffer.from(await served.arrayBuffer());
  // It lay on its side.
  expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 512, height: 256 });
  expect(content.includes('SecretMaker')).toBe(false);

  const account = await gateway.rpc('account.get', { token });
  expect(account.data).toMatchObject({ workspace: { logo_url: url }, workspaces: [{ logo_url: url }] });
  const { rows } = await services.pool.query('select logo, logo_hash from workspaces where id = any($1)', [
    [firm.id, sandbox.id],
  ]);
  expect(rows[0]).toEqual(rows[1]);
  const invite = await gateway.rpc('firm.invites.create', {
    token,
    body: { email: 'new@elsewhere.example', permissions: [], by_mail: false },
  });
  const link = await gateway.rpc('firm.invites.link', { token, body: { id: invite.data.id } });
  const [, workspace, id, key] = /join\/([^/]+)\/(\w+)#(.+)$/.exec(link.data.url)!;
  const opened = await gateway.rpc('invites.get', { body: { workspace, invite: id, key } });
  expect(opened.data.tenant).toEqual({ name: firm.name, slug: firm.slug, logo_url: url });

  const trader = await createUser(services, { firm, role: 'trader' });
  const ticket = await createTicket(services, { firm, trader });
  const rating = await createRatingLink(services, { workspaceId: firm.id, ticketId: ticket });
  const page = await fetch(rating);
  expect(await page.text()).toContain(`<img src="${url}" alt="">`);
  expect(page.headers.get('content-security-policy')).toContain(`img-src ${gateway.url}`);
  const ctx = newContext(services);
  const values = { firm_name: 'North & Co', name: 'Kim', reset_url: 'https://desk.example/r', minutes: '30' };
  const mailOf = () => renderTemplate(ctx, 'password_reset', firm, 'en', values as never);
  expect((await mailOf()).html).toContain(`<img src="${url}" alt="North &amp; Co"`);

  await set(null);
  expect([await urlOf(), (await fetch(url)).status]).toEqual([null, 404]);
  expect((await mailOf()).html).not.toContain('<img');
  const trail = await services.pool.query(
    `select before, after from audit_events where workspace_id = $1 and action = 'firm.settings_changed' order by id`,
    [firm.id],
  );
  expect(trail.rows).toEqual([
    { before: { logo_url: null }, after: { logo_url: url } },
    { before: { logo_url: url }, after: { logo_url: null } },
  ]);
});

test('what is no PNG, JPEG or WebP picture, is damaged, or is too large to decode is refused, and the logo stays', async () => {
  const { set, urlOf } = await firmWithLogo();
  const png = await canvas(40, 20).png().toBuffer();
  await set(dataUrl(await canvas(40, 20).webp().toBuffer(), 'image/webp'));
  const before = await urlOf();
  expect((await sharp(await (await fetch(before)).arrayBuffer()).metadata()).width).toBe(40);
  // A header that promises 100,000 by 100,000 pixels.
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(100_000, 16);
  bomb.writeUInt32BE(100_000, 20);
  const refused: Record<string, string> = {
    'another type': dataUrl(await canvas(4, 4).gif().toBuffer(), 'image/gif'),
    'a GIF that says it is a PNG': dataUrl(await canvas(4, 4).gif().toBuffer()),
    SVG: dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    HTML: dataUrl(Buffer.from('<!doctype html><script>alert(1)</script>')),
    'half a picture': dataUrl(png.subarray(0, 60)),
    'only the beginning of one': dataUrl(Buffer.from('89504e470d0a1a0a', 'hex')),
    'a picture that is too large to decode': dataUrl(bomb),
    'an address': 'https://elsewhere.example/logo.png',
    'more than 1,000,000 characters': `data:image/png;base64,${'A'.repeat(1_000_000)}`,
  };
  for (const [what, logo] of Object.entries(refused)) {
    const { code, fields } = await set(logo);
    expect([what, code, fields?.[0]?.path]).toEqual([what, 'validation_failed', 'logo']);
  }
  expect(await urlOf()).toBe(before);
  const colleague = await createUserWithToken(gateway, { permissions: ['manage_members'] });
  expect((await set(null, colleague.token)).code).toBe('forbidden');
});

test('no transaction is open while a logo is drawn', async () => {
  const { set } = await firmWithLogo();
  const run = imageSlots.run.bind(imageSlots);
  const open: number[] = [];
  using _ = vi.spyOn(imageSlots, 'run').mockImplementation(async (group, task) => {
    const { rows } = await services.pool.query(
      `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    open.push(rows.length);
    return run(group, task);
  });
  expect((await set(dataUrl(await canvas(40, 20).png().toBuffer()))).status).toBe(200);
  expect(open).toEqual([0]);
});
