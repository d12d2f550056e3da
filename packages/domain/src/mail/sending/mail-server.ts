/** What a mail server answered to a message for one recipient. */
export interface SendResult {
  /** `later`: it refused for now, or its answer was lost. `unreachable`: it could not be asked, so other messages cannot be sent either. */
  state: 'sent' | 'refused' | 'later' | 'unreachable';
  /** Its words, on one line. */
  detail: string;
}

/** The server that takes mail to the outside. */
export interface MailServer {
  /** Sends a message to one recipient. Never rejects. */
  send(message: { raw: Buffer; from: string; returnPath: string; to: string }): Promise<SendResult>;
  /** Connects and signs in. Throws what is wrong. */
  check(): Promise<void>;
  /** Ends when messages in progress are sent, at the latest after some seconds. */
  close(): Promise<void>;
}

/** How this installation sends mail. */
export interface MailSettings {
  /** The domains of the installation. Returned mail comes back to the first one; without one, to the sender. */
  domains: readonly string[];
  /** Null: mail to the outside is not sent. */
  server: MailServer | null;
}

declare module '../../platform/services.ts' {
  interface Services {
    mail: MailSettings;
  }
}
