import { withoutInvisibleText } from './visible-text.ts';

/** The ends of names by which systems run a file, or open it with a program that runs what it contains. */
const ENDS = new Set(
  (
    'app appimage appref-ms application apk bash bat bin chm cmd com command cpl csh deb desktop dll dmg elf exe gadget hta htm html ' +
    'inf ins iso isp jar jnlp js jse ksh lnk mhtml mjs msc msi msix msp mst ocx pif pkg ps1 psm1 py pyw rb reg rpm run scf scr sct sh ' +
    'shtml svg sys url vb vbe vbs vbscript vhd vhdx wasm webloc ws wsf wsh xhtml xll xlam xlsm docm dotm pptm zsh'
  ).split(' '),
);

/** Returns whether the name of a file says that it is a program or contains one. What precedes the last end does not count. */
export function isProgramName(name: string): boolean {
  // Windows ignores dots and blanks at the end.
  const parts = withoutInvisibleText(name)
    .split('.')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 1 && ENDS.has(parts.at(-1)!.toLowerCase());
}
