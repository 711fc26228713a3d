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
 * Suggestions of the address bar are browser pages that Chromium loads behind every new window,
 * which takes a third of the opening time. No story types an address.
 */
const PAGES_OF_THE_BROWSER = [
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
]

/**
 * Features that Playwright disables and that matter here: Chromium reads only the last such list.
 */
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
