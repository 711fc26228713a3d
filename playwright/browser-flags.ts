/** How the stories' Chromium is started. */

/** No network access except to the page, and no GPU, which test machines lack. */
export const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Suggestions below the address bar are pages of the browser's own: Chromium loads them behind every new window, which takes it a
 * third of what it takes to open ours. No story types an address.
 */
const PAGES_OF_THE_BROWSER = [
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
]

/** What Playwright switches off by itself, as far as it matters here: Chromium reads the last such list alone. */
const AS_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

export const BARE_WINDOWS = `--disable-features=${[...PAGES_OF_THE_BROWSER, ...AS_PLAYWRIGHT].join(',')}`
