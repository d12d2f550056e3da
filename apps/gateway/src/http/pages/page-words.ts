/** The texts of the pages that links of mail open, in one language. */
export interface PageWords {
  /** The tag of the language. */
  language: string;
  yourRating: string;
  question: string;
  /** What 1 to 5 mean. */
  scores: readonly [string, string, string, string, string];
  comment: string;
  send: string;
  thanks: string;
  received(firm: string): string;
  problem: string;
  expired: string;
  late(days: number): string;
  weeklyReport: string;
  stop(firm: string): string;
  stopButton: string;
  stopped: string;
  again: string;
}

const en: PageWords = {
  language: 'en',
  yourRating: 'Your rating',
  question: 'How satisfied were you with our answers?',
  scores: ['Very dissatisfied', 'Dissatisfied', 'Neither', 'Satisfied', 'Very satisfied'],
  comment: 'What could have been better? (optional)',
  send: 'Send',
  thanks: 'Thank you',
  received: (firm) => `${firm} has received your rating.`,
  problem: 'Choose a number from 1 to 5, and write at most 2,000 characters.',
  expired: 'This link has expired',
  late: (days) => `It could be used for ${days} days. Write to us if you want to add something.`,
  weeklyReport: 'Weekly report',
  stop: (firm) => `Stop the weekly mail with the reports of ${firm}?`,
  stopButton: 'Stop it',
  stopped: 'The weekly mail is stopped.',
  again: 'You can start it again in your account settings.',
};

const de: PageWords = {
  language: 'de',
  yourRating: 'Ihre Bewertung',
  question: 'Wie zufrieden waren Sie mit unseren Antworten?',
  scores: ['Sehr unzufrieden', 'Unzufrieden', 'Weder noch', 'Zufrieden', 'Sehr zufrieden'],
  comment: 'Was hätte besser sein können? (freiwillig)',
  send: 'Senden',
  thanks: 'Vielen Dank',
  received: (firm) => `${firm} hat Ihre Bewertung erhalten.`,
  problem: 'Wählen Sie eine Zahl von 1 bis 5, und schreiben Sie höchstens 2.000 Zeichen.',
  expired: 'Dieser Link ist abgelaufen',
  late: (days) => `Er galt ${days} Tage. Schreiben Sie uns, wenn Sie etwas ergänzen möchten.`,
  weeklyReport: 'Wochenbericht',
  stop: (firm) => `Den wöchentlichen Bericht von ${firm} abbestellen?`,
  stopButton: 'Abbestellen',
  stopped: 'Der wöchentliche Bericht ist abbestellt.',
  again: 'In den Einstellungen Ihres Kontos können Sie ihn wieder bestellen.',
};

const es: PageWords = {
  language: 'es',
  yourRating: 'Su valoración',
  question: '¿Qué le han parecido nuestras respuestas?',
  scores: ['Muy insatisfecho', 'Insatisfecho', 'Ni lo uno ni lo otro', 'Satisfecho', 'Muy satisfecho'],
  comment: '¿Qué podríamos haber hecho mejor? (opcional)',
  send: 'Enviar',
  thanks: 'Gracias',
  received: (firm) => `${firm} ha recibido su valoración.`,
  problem: 'Elija un número del 1 al 5 y escriba 2000 caracteres como máximo.',
  expired: 'Este enlace ha caducado',
  late: (days) => `Era válido durante ${days} días. Escríbanos si quiere añadir algo.`,
  weeklyReport: 'Informe semanal',
  stop: (firm) => `¿Dejar de recibir el informe semanal de ${firm}?`,
  stopButton: 'Dejar de recibirlo',
  stopped: 'Ya no recibirá el informe semanal.',
  again: 'Puede volver a activarlo en los ajustes de su cuenta.',
};

const fr: PageWords = {
  language: 'fr',
  yourRating: 'Votre avis',
  question: 'Êtes-vous satisfait de nos réponses ?',
  scores: ['Très insatisfait', 'Insatisfait', 'Ni l’un ni l’autre', 'Satisfait', 'Très satisfait'],
  comment: 'Qu’aurions-nous pu faire mieux ? (facultatif)',
  send: 'Envoyer',
  thanks: 'Merci',
  received: (firm) => `${firm} a bien reçu votre avis.`,
  problem: 'Choisissez un nombre de 1 à 5, et écrivez 2 000 caractères au plus.',
  expired: 'Ce lien a expiré',
  late: (days) => `Il était valable ${days} jours. Écrivez-nous si vous souhaitez ajouter quelque chose.`,
  weeklyReport: 'Rapport hebdomadaire',
  stop: (firm) => `Ne plus recevoir le rapport hebdomadaire de ${firm} ?`,
  stopButton: 'Ne plus le recevoir',
  stopped: 'Vous ne recevrez plus le rapport hebdomadaire.',
  again: 'Vous pouvez le réactiver dans les paramètres de votre compte.',
};

const pt: PageWords = {
  language: 'pt',
  yourRating: 'A sua avaliação',
  question: 'Ficou satisfeito com as nossas respostas?',
  scores: ['Muito insatisfeito', 'Insatisfeito', 'Nem um nem outro', 'Satisfeito', 'Muito satisfeito'],
  comment: 'O que poderia ter sido melhor? (opcional)',
  send: 'Enviar',
  thanks: 'Obrigado',
  received: (firm) => `${firm} recebeu a sua avaliação.`,
  problem: 'Escolha um número de 1 a 5 e escreva no máximo 2000 caracteres.',
  expired: 'Este link expirou',
  late: (days) => `Foi válido durante ${days} dias. Escreva-nos se quiser acrescentar algo.`,
  weeklyReport: 'Relatório semanal',
  stop: (firm) => `Deixar de receber o relatório semanal de ${firm}?`,
  stopButton: 'Deixar de receber',
  stopped: 'Já não receberá o relatório semanal.',
  again: 'Pode voltar a ativá-lo nas definições da sua conta.',
};

const all: ReadonlyMap<string, PageWords> = new Map(
  [en, de, es, fr, pt].map((each) => [each.language, each]),
);

/** Returns the texts in a language such as `pt-BR`; in English where the product does not know it. */
export function pageWords(language: string): PageWords {
  return all.get(language.split(/[-_]/)[0]!.toLowerCase()) ?? en;
}
