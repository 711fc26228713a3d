export const incompleteStorage = (lost: readonly string[], more: number) =>
  `${lost.join(', ')}${more > 0 ? ` and ${more} more` : ''} could not be read from the browser's storage. Everything else is there: export the cluster to be safe.`
export const dataLost = (objects: number, revision: number, when: string) =>
  `The data of this cluster from ${when} (${objects.toLocaleString('en')} objects at revision ${revision.toLocaleString('en')}) is lost: its database was deleted or damaged, and the server restarted empty. Exports and shared links still open.`
export const settingsRejected = (reason: string) =>
  `The server does not start with these settings, and runs as before: ${reason}`
export const noServer = 'there is no server to set'
export const readOnly = (revision: number) =>
  `You are viewing revision ${revision}. Return to now to make changes.`
export const firstWorkspace = 'My cluster'

// Definitions of kinds that are not served yet

export const notEstablished = 'it is not established yet'
export const beingDeleted = 'it is being deleted'
export const notChecked = 'its server is not checked yet'
export const notListed = 'its server does not list the kind'
export const conditionIs = (type: string, status: string, message = 'no message') =>
  `${type} is ${status}: ${message}`
