import { OnlineMigration } from './online-migration.ts';

/** Small enough that a batch locks its rows for a fraction of a second. */
const BATCH_ROWS = 1_000;

/**
 * Fills the hashes of avatars from before 0039. Each batch commits separately, and an interrupted migration skips the rows that are
 * filled.
 */
export class FillAvatarHashes extends OnlineMigration {
  override async up(): Promise<void> {
    for (let filled = ''; ; ) {
      const after = `id > ${literal(filled)}`;
      const [batch] = await this.query<{ last: string | null }>(`
        select max(id) as last from (select id from users where ${after} order by id limit ${BATCH_ROWS}) u`);
      const { last } = batch!;
      if (last === null) return;
      await this.#fill(`${after} and id <= ${literal(last)}`);
      filled = last;
    }
  }

  /** Reads before it writes: the function `convert_to` is not immutable, which Citus refuses in updates. */
  async #fill(range: string): Promise<void> {
    const pictures = await this.query<{ id: string; hash: string; check: string }>(`
      select id, encode(sha256(convert_to(avatar_url, 'UTF8')), 'hex') as hash, md5(avatar_url) as check from users
      where ${range} and avatar_hash is null and avatar_url ~* '^data:'`);
    if (pictures.length === 0) return;
    const rows = pictures.map(({ id, hash, check }) => `(${literal(id)}, '${hash}', '${check}')`);
    // The picture may have been replaced meanwhile.
    await this.query(`
      update users set avatar_hash = p.hash from (values ${rows.join(', ')}) as p (id, hash, picture)
      where users.id = p.id and md5(users.avatar_url) = p.picture`);
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
