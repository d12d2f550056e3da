import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { type StartedGateway, startGateway } from '../started-gateway.ts';

const RESTART_MS = 200;
/** Preloaded into the process, so that its clock can be moved. */
const MOVABLE_CLOCK = new URL('movable-clock.ts', import.meta.url).pathname;

/** A process of Firmdesk with a supervisor that restarts it on the same port whenever it ends. */
export class Node {
  readonly role: 'gateway' | 'worker';
  readonly url: string;
  /** How often the process ended by itself. */
  crashes = 0;
  readonly #env: Record<string, string>;
  #process!: StartedGateway;
  #isEnding = false;
  #isRetired = false;
  #supervised!: Promise<void>;

  private constructor(role: Node['role'], port: number, env: Record<string, string>) {
    this.role = role;
    this.url = `http://127.0.0.1:${port}`;
    this.#env = { ...env, PORT: String(port) };
  }

  /** Starts the process. Resolves when it listens. */
  static async start(role: Node['role'], env: Record<string, string>): Promise<Node> {
    const node = new Node(role, await freePort(), env);
    node.#spawn();
    node.#supervised = node.#supervise();
    await node.ready();
    return node;
  }

  #spawn(): void {
    this.#process = startGateway(this.#env, ['--role', this.role], MOVABLE_CLOCK);
  }

  async #supervise(): Promise<void> {
    for (;;) {
      const { child, exited, listening } = this.#process;
      const wasUp = await listening.then(
        () => true,
        () => false,
      );
      if (!wasUp) child.kill('SIGKILL');
      await exited;
      if (this.#isRetired) return;
      if (wasUp && !this.#isEnding) {
        this.crashes++;
        process.stderr.write(`a ${this.role} ended by itself:\n${this.stderr().slice(-4_000)}\n`);
      }
      this.#isEnding = false;
      // Retried, because the database may be unavailable at its start.
      if (!wasUp) await setTimeout(RESTART_MS);
      this.#spawn();
    }
  }

  /** Resolves when the process or its replacement is up. */
  async ready(): Promise<void> {
    for (;;) {
      const { listening } = this.#process;
      try {
        await listening;
        return;
      } catch (error) {
        if (this.#isRetired) throw error;
        await setTimeout(RESTART_MS);
      }
    }
  }

  /** Ends the process and resolves with its exit code. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { child, exited } = this.#process;
    this.#isEnding = true;
    child.kill(signal);
    return exited;
  }

  /** Freezes the process; its connections stay open. */
  freeze(): void {
    this.#process.child.kill('SIGSTOP');
  }

  resume(): void {
    this.#process.child.kill('SIGCONT');
  }

  /** Ends the process for good. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    await this.end('SIGTERM');
    await this.#supervised;
  }

  /** Stops reading its log. */
  pauseLog(): void {
    this.#process.child.stderr?.pause();
  }

  resumeLog(): void {
    this.#process.child.stderr?.resume();
  }

  stderr(): string {
    return this.#process.stderr();
  }

  /** Shifts its clock from the real time, in milliseconds. */
  moveClock(milliseconds: number): void {
    this.#process.child.send({ clockOffset: milliseconds });
  }

  /** Returns its memory in MiB; null if it is unknown. */
  async memory(): Promise<number | null> {
    const status = await readFile(`/proc/${this.#process.child.pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  }
}
