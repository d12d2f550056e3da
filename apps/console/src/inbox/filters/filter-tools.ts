import { lazy } from 'react';
import { whenIdle } from '../../when-idle.ts';

const filterMenu = () => import('./filter-menu.tsx');

/** Loaded after the list, before it is opened. */
export const FilterMenu = lazy(async () => ({ default: (await filterMenu()).FilterMenu }));

whenIdle(() => void filterMenu().catch(() => {}));
