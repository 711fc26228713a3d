export const close = 'Close'
export const closeNamed = (label: string) => `Close ${label.toLowerCase()}`
export const copied = (what: string) => `${what} copied`
export const notCopied = (what: string) =>
  `${what} could not be copied, as the browser did not allow it: select it and copy by hand`

// Panels

export const restore = 'Restore'
export const enlarge = 'Enlarge'
export const restorePanel = (panel: string) => `Restore the ${panel}`
export const enlargePanel = (panel: string) => `Enlarge the ${panel}`
export const hidePanel = (panel: string) => `Hide the ${panel}`
export const hide = 'Hide (bring it back with the icons in the status bar)'
