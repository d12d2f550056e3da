import { inLanguage } from './words/in-language.ts';

/** The texts of the mail of a firm's deletion in one language. The settings have English names. */
interface FirmDeletionWords {
  /** In place of a name, when the account that has asked is gone. */
  somebody: string;
  scheduled(values: { firm: string; who: string; at: string }): { subject: string; text: string };
  /** Follows the text of a deletion; a link may follow it. */
  advice: string;
  cancelled(values: { firm: string; who: string }): { subject: string; text: string };
}

const en: FirmDeletionWords = {
  somebody: 'Somebody',
  scheduled: ({ firm, who, at }) => ({
    subject: `${firm} will be deleted on ${at}`,
    text: `${who} has asked to delete ${firm} with everything in it: on ${at}, for good.`,
  }),
  advice: 'The firm works as before until then. To keep it, cancel the deletion in the settings under “Data”',
  cancelled: ({ firm, who }) => ({
    subject: `${firm} will not be deleted`,
    text: `${who} has cancelled the deletion of ${firm}. Nothing was deleted.`,
  }),
};

const de: FirmDeletionWords = {
  somebody: 'Jemand',
  scheduled: ({ firm, who, at }) => ({
    subject: `${firm} wird am ${at} gelöscht`,
    text: `${who} hat beantragt, ${firm} mit allem Inhalt zu löschen: am ${at}, endgültig.`,
  }),
  advice:
    'Bis dahin läuft alles wie bisher. Um die Firma zu behalten, brechen Sie die Löschung in den Einstellungen unter „Data“ ab',
  cancelled: ({ firm, who }) => ({
    subject: `${firm} wird nicht gelöscht`,
    text: `${who} hat die Löschung von ${firm} abgebrochen. Es wurde nichts gelöscht.`,
  }),
};

const fr: FirmDeletionWords = {
  somebody: 'Quelqu’un',
  scheduled: ({ firm, who, at }) => ({
    subject: `${firm} sera supprimée le ${at}`,
    text: `${who} a demandé la suppression de ${firm} et de tout son contenu : le ${at}, définitivement.`,
  }),
  advice:
    'Jusque-là, tout fonctionne comme avant. Pour garder la société, annulez la suppression dans les réglages, sous « Data »',
  cancelled: ({ firm, who }) => ({
    subject: `${firm} ne sera pas supprimée`,
    text: `${who} a annulé la suppression de ${firm}. Rien n’a été supprimé.`,
  }),
};

const es: FirmDeletionWords = {
  somebody: 'Alguien',
  scheduled: ({ firm, who, at }) => ({
    subject: `${firm} se eliminará el ${at}`,
    text: `${who} ha pedido eliminar ${firm} con todo su contenido: el ${at}, definitivamente.`,
  }),
  advice:
    'Hasta entonces todo funciona como antes. Para conservar la empresa, cancele la eliminación en la configuración, en «Data»',
  cancelled: ({ firm, who }) => ({
    subject: `${firm} no se eliminará`,
    text: `${who} ha cancelado la eliminación de ${firm}. No se ha eliminado nada.`,
  }),
};

const pt: FirmDeletionWords = {
  somebody: 'Alguém',
  scheduled: ({ firm, who, at }) => ({
    subject: `${firm} será eliminada em ${at}`,
    text: `${who} pediu a eliminação de ${firm} com todo o seu conteúdo: em ${at}, definitivamente.`,
  }),
  advice:
    'Até lá, tudo funciona como antes. Para manter a empresa, cancele a eliminação nas definições, em «Data»',
  cancelled: ({ firm, who }) => ({
    subject: `${firm} não será eliminada`,
    text: `${who} cancelou a eliminação de ${firm}. Nada foi eliminado.`,
  }),
};

/** Returns the words for a language tag. */
export function firmDeletionWordsFor(language: string): FirmDeletionWords {
  return inLanguage({ en, de, es, fr, pt }, language);
}
