// Commands

export const startWatch = 'Start a watch'
export const group = 'Cluster'
export const compact = 'Compact history'

// Watches

export const disconnected = 'Disconnected. Changes are missed until you resume.'
export const closed = 'The server closed the stream.'
export const lost = (reason: string) =>
  `The connection was lost: ${reason}. Resume from the last resourceVersion seen.`
export const notStarted = 'The API server has not started yet'
export const allNamespaces = 'all namespaces'
