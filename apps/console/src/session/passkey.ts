import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { client } from '../api.ts';

/** An answer of the browser, as the service reads it. */
export type PasskeyAnswer = Record<string, unknown>;

/** Lets the person use a passkey. Returns null if they have cancelled it. */
export async function askPasskey(): Promise<PasskeyAnswer | null> {
  const { options } = await client.sessions.startPasskey.mutate();
  return answered(() =>
    startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON }),
  );
}

/** Lets the person create a passkey. Returns null if they have cancelled it. */
export async function createPasskey(): Promise<PasskeyAnswer | null> {
  const { options } = await client.signIn.startPasskey.mutate();
  return answered(() =>
    startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }),
  );
}

async function answered(ask: () => Promise<object>): Promise<PasskeyAnswer | null> {
  try {
    return { ...(await ask()) };
  } catch (error) {
    if (error instanceof Error && error.name === 'NotAllowedError') return null;
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error('This device already has a passkey of your account.');
    throw new Error('The browser can’t use a passkey here.', { cause: error });
  }
}
