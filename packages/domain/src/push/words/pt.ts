import type { PushWords } from './words.ts';

export const pt: PushWords = {
  newMail: 'Tem uma nova mensagem.',
  noSubject: '(sem assunto)',
  startsAt: (time) => `Início: ${time}`,
  startsOn: (day, time) => `Início: ${day}, ${time}`,
  startsOnDay: (day) => `${day}, o dia todo`,
  testTitle: 'Notificação de teste',
  testBody: 'As notificações chegam a este dispositivo.',
};
