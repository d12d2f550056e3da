import { inLanguage } from '../words/in-language.ts';

/** A change of how an account signs in, of which its owner is told. */
export type SecurityChange =
  | 'password_changed'
  | 'password_reset'
  | 'password_set'
  | 'passkey_added'
  | 'passkey_removed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'recovery_codes_renewed'
  | 'provider_linked';

/** The texts of a security notice in one language. */
export interface SecurityWords {
  changes: Record<SecurityChange, string>;
  when: string;
  from: string;
  /** In place of a network, when an operator of the service has made the change. */
  operator: string;
  /** What to do about a change that one did not make. */
  advice: string;
  /** Why the account gets the mail. */
  why(account: string): string;
}

const en: SecurityWords = {
  changes: {
    password_changed: 'Your password was changed',
    password_reset: 'Your password was reset by a link from a mail',
    password_set: 'Your password was set by the service',
    passkey_added: 'A passkey was added',
    passkey_removed: 'A passkey was removed',
    second_factor_enabled: 'Sign-in with a code was switched on',
    second_factor_disabled: 'Sign-in with a code was switched off',
    recovery_codes_renewed: 'New recovery codes were made',
    provider_linked: 'Your account was linked with single sign-on',
  },
  when: 'When',
  from: 'From the network',
  operator: 'an operator of the service',
  advice:
    'If this was not you, choose “Forgot your password?” on the sign-in page now and remove all passkeys there, then tell an administrator of your firm.',
  why: (account) => `This notice is sent to the owner of the account ${account}.`,
};

const de: SecurityWords = {
  changes: {
    password_changed: 'Ihr Passwort wurde geändert',
    password_reset: 'Ihr Passwort wurde mit einem Link aus einer E-Mail neu gesetzt',
    password_set: 'Ihr Passwort wurde vom Dienst gesetzt',
    passkey_added: 'Ein Passkey wurde hinzugefügt',
    passkey_removed: 'Ein Passkey wurde entfernt',
    second_factor_enabled: 'Die Anmeldung mit einem Code wurde eingeschaltet',
    second_factor_disabled: 'Die Anmeldung mit einem Code wurde ausgeschaltet',
    recovery_codes_renewed: 'Neue Wiederherstellungscodes wurden erstellt',
    provider_linked: 'Ihr Konto wurde mit Single Sign-on verbunden',
  },
  when: 'Wann',
  from: 'Aus dem Netz',
  operator: 'ein Betreiber des Dienstes',
  advice:
    'Wenn Sie das nicht waren, wählen Sie jetzt auf der Anmeldeseite „Forgot your password?“ und entfernen Sie dort alle Passkeys. Sagen Sie es danach einem Administrator Ihrer Firma.',
  why: (account) => `Diese Nachricht geht an den Inhaber des Kontos ${account}.`,
};

const es: SecurityWords = {
  changes: {
    password_changed: 'Se cambió su contraseña',
    password_reset: 'Su contraseña se restableció con un enlace de un correo',
    password_set: 'El servicio estableció su contraseña',
    passkey_added: 'Se añadió una llave de acceso',
    passkey_removed: 'Se eliminó una llave de acceso',
    second_factor_enabled: 'Se activó el inicio de sesión con código',
    second_factor_disabled: 'Se desactivó el inicio de sesión con código',
    recovery_codes_renewed: 'Se crearon nuevos códigos de recuperación',
    provider_linked: 'Su cuenta se vinculó con el inicio de sesión único',
  },
  when: 'Cuándo',
  from: 'Desde la red',
  operator: 'un operador del servicio',
  advice:
    'Si no fue usted, elija ahora «Forgot your password?» en la página de inicio de sesión y elimine allí todas las llaves de acceso. Después avise a un administrador de su empresa.',
  why: (account) => `Este aviso se envía al titular de la cuenta ${account}.`,
};

const fr: SecurityWords = {
  changes: {
    password_changed: 'Votre mot de passe a été modifié',
    password_reset: 'Votre mot de passe a été réinitialisé par un lien reçu par e-mail',
    password_set: 'Votre mot de passe a été défini par le service',
    passkey_added: 'Une clé d’accès a été ajoutée',
    passkey_removed: 'Une clé d’accès a été supprimée',
    second_factor_enabled: 'La connexion avec un code a été activée',
    second_factor_disabled: 'La connexion avec un code a été désactivée',
    recovery_codes_renewed: 'De nouveaux codes de récupération ont été créés',
    provider_linked: 'Votre compte a été lié à l’authentification unique',
  },
  when: 'Quand',
  from: 'Depuis le réseau',
  operator: 'un opérateur du service',
  advice:
    'Si ce n’était pas vous, choisissez maintenant « Forgot your password? » sur la page de connexion et supprimez-y toutes les clés d’accès, puis prévenez un administrateur de votre entreprise.',
  why: (account) => `Cet avis est envoyé au titulaire du compte ${account}.`,
};

const pt: SecurityWords = {
  changes: {
    password_changed: 'A sua palavra-passe foi alterada',
    password_reset: 'A sua palavra-passe foi reposta através de uma ligação de um e-mail',
    password_set: 'A sua palavra-passe foi definida pelo serviço',
    passkey_added: 'Foi adicionada uma chave de acesso',
    passkey_removed: 'Foi removida uma chave de acesso',
    second_factor_enabled: 'O início de sessão com um código foi ativado',
    second_factor_disabled: 'O início de sessão com um código foi desativado',
    recovery_codes_renewed: 'Foram criados novos códigos de recuperação',
    provider_linked: 'A sua conta foi associada ao início de sessão único',
  },
  when: 'Quando',
  from: 'A partir da rede',
  operator: 'um operador do serviço',
  advice:
    'Se não foi você, escolha agora «Forgot your password?» na página de início de sessão e remova aí todas as chaves de acesso. Depois avise um administrador da sua empresa.',
  why: (account) => `Este aviso é enviado ao titular da conta ${account}.`,
};

/** Returns the words for a language tag. */
export function securityWordsFor(language: string): SecurityWords {
  return inLanguage({ en, de, es, fr, pt }, language);
}
