export const deviceApps = ['mail', 'calendar', 'admin'] as const;
export type DeviceApp = (typeof deviceApps)[number];

export const pushEnvironments = ['sandbox', 'production'] as const;
export type PushEnvironment = (typeof pushEnvironments)[number];
