import type { PushMessages } from './push-messages.ts';

export const es: PushMessages = {
  newMail: 'Tienes un mensaje nuevo.',
  noSubject: '(sin asunto)',
  startsAt: (time) => `Empieza: ${time}`,
  startsOn: (day, time) => `Empieza: ${day}, ${time}`,
  allDayOn: (day) => `${day}, todo el día`,
  newSignIn: 'Nuevo inicio de sesión',
  signedIn: (device, workspace) =>
    `${device} ha iniciado sesión en ${workspace}. Si no has sido tú, cierra la sesión del dispositivo.`,
  unnamedDevice: 'Un dispositivo',
  testTitle: 'Notificación de prueba',
  testBody: 'Las notificaciones llegan a este dispositivo.',
};
