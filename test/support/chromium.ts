import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first has no surface of its own and takes a quarter less of a processor. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** What to do on a machine without a browser; the last line of a test run there. */
export const HOW_TO_GET_CHROMIUM =
  'Pages were not tested in a browser, because there is no Chromium on PATH: install one (Debian: apt-get install chromium-headless-shell) and run again.';

/**
 * What Chromium does without. It takes the last list alone, so what Playwright switches off comes first
 * (`unit/support/chromium.test.ts` compares). What follows would load pages of Chromium's own surface, which no test
 * sees, in two more processes beside each page of ours.
 */
export const WITHOUT: readonly string[] = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable'],
  ...['LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...['TcpPortRandomizationWin', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  ...['msForceBrowserSignIn', 'msEdgeUpdateLaunchServicesPreferredVersion'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI', 'SpareRendererForSitePerProcess'],
];

/** The path of a Chromium on this machine, null when there is none. */
export const findChromium = (): string | null => findProgram(NAMES);

/** The path of the first of some programs that this machine has, null when it has none. */
export function findProgram(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(isRunnable) ?? null;
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
