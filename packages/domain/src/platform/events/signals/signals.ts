import type { ConnectionWatch } from '../../connections/connection-watch.ts';
import type { Log } from '../../process/log.ts';
import { SignalConnection } from './signal-connection.ts';

/** A signal can be lost, so all listeners are also called at this interval. */
const SWEEP_MS = 1_000;

/** Receives the id of a signal, or null if signals may have been missed and the listener must check everything. */
export type SignalListener = (id: string | null) => void;

/**
 * Signals between all processes on the database. A signal has a kind and an id, and says that something is to be read from the
 * tables, or announces all of something (docs/decisions/0027): so it may be lost, repeated or joined with others.
 */
export interface Signals {
  /** Sends a signal to every process, this one included, within about 10 ms. In a transaction, use `sendSignal` instead. */
  send(kind: string, id: string | number): void;
  /**
   * Calls the listener for each signal of the kind. Calls it with null when it starts to listen, after each reconnection, and
   * every second. Returns a function that ends the calls.
   */
  on(kind: string, listener: SignalListener): () => void;
  /** Null until the first attempt to connect has ended. */
  readonly isListening: boolean | null;
  /** How many times it has connected. After a new connection, the database may be another one. */
  readonly session: number;
  /** Sends the signals that wait, then closes the connection. */
  close(): Promise<void>;
}

export interface SignalsOptions {
  databaseUrl: string;
  connections: ConnectionWatch;
  log: Log;
}

/** Creates the signals of this process. The first use connects. */
export function createSignals(options: SignalsOptions): Signals {
  const listeners = new Map<string, Set<SignalListener>>();
  const callAll = () => {
    for (const ofKind of listeners.values()) for (const listener of ofKind) listener(null);
  };
  let sweep: NodeJS.Timeout | null = null;
  const stopSweep = () => {
    if (sweep) clearInterval(sweep);
    sweep = null;
  };
  const connection = new SignalConnection({
    ...options,
    onListening: callAll,
    onSignal(kind, id) {
      for (const listener of listeners.get(kind) ?? []) listener(id);
    },
  });
  return {
    send(kind, id) {
      connection.send(kind, String(id));
    },
    on(kind, listener) {
      connection.start();
      const ofKind = listeners.get(kind) ?? new Set();
      listeners.set(kind, ofKind.add(listener));
      sweep ??= setInterval(callAll, SWEEP_MS).unref();
      if (connection.isListening) listener(null);
      return () => {
        ofKind.delete(listener);
        if (ofKind.size === 0 && listeners.get(kind) === ofKind) listeners.delete(kind);
        if (listeners.size === 0) stopSweep();
      };
    },
    get isListening() {
      return connection.isListening;
    },
    get session() {
      return connection.session;
    },
    async close() {
      stopSweep();
      await connection.close();
    },
  };
}
