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
      const after = `id > '${filled.replaceAll("'", "''")}'`;
      const [batch] = await this.query<{ last: string | null }>(`
        select max(id) as last from (select id from users where ${after} order by id limit ${BATCH_ROWS}) u`);
      const { last } = batch!;
      if (last === null) return;
      await this.query(`
        update users set avatar_hash = encode(sha256(convert_to(avatar_url, 'UTF8')), 'hex')
        where ${after} and id <= '${last.replaceAll("'", "''")}' and avatar_hash is null and avatar_url ~* '^data:'`);
      filled = last;
    }
  }
}
