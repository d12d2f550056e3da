import type { PushMessages } from './push-messages.ts';

export const pt: PushMessages = {
  newMail: 'Tem uma nova mensagem.',
  noSubject: '(sem assunto)',
  startsAt: (time) => `Início: ${time}`,
  startsOn: (day, time) => `Início: ${day}, ${time}`,
  allDayOn: (day) => `${day}, o dia todo`,
  newSignIn: 'Novo início de sessão',
  signedIn: (device, workspace) =>
    `${device} iniciou sessão em ${workspace}. Se não foi você, termine a sessão do dispositivo.`,
  unnamedDevice: 'Um dispositivo',
  testTitle: 'Notificação de teste',
  testBody: 'As notificações chegam a este dispositivo.',
};
