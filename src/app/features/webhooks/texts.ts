export const LIST = {
  waiting: 'Waiting for the server …',
  region: 'Webhooks and servers',
  title: 'Webhooks',
  newLabel: 'New webhook or server',
  new: 'New',
  unsaved: 'not saved yet',
  switchedOff: 'switched off',
  none: 'None yet. Select “New” or a sample.',
} as const

export const callCount = (count: number): string => (count === 1 ? '1 call' : `${count} calls`)

export const INTRODUCTION = {
  region: 'Start',
  title: 'Webhooks and API servers',
  about:
    'Write one in JavaScript and point a webhook configuration at its URL. It runs in a sandbox without access to the network, storage, or the page, and only while this page is open.',
} as const

export const SAMPLES = {
  addLabel: 'Mutating webhook: adds a label to new objects',
  requireOwner: 'Validating webhook: rejects objects without an owner label',
  convert: 'Conversion webhook: converts between versions',
  server: 'Aggregated API server: serves a resource from this page',
} as const

export const FORM = {
  name: 'Name',
  addressLabel: 'Address: a URL, or namespace/name of a Service',
  addressTitle: 'A URL that starts with https://, or namespace/name of a Service',
  switchOn: 'Switch on',
  save: 'Save',
  saved: 'Saved',
  delete: 'Delete',
  loading: 'Loading the editor …',
  code: 'Code of the webhook',
  generate: 'Generate configuration',
  generateTitle: 'Opens a configuration that makes the API server call this webhook',
  otherConfigurations: 'Other configurations',
} as const

export const formOf = (name: string): string => `Webhook ${name}`

export const deleteNamed = (name: string): string => `Delete ${name}`

export const listens = (name: string, address: string): string => `${name} listens at ${address}`

export const deleted = (name: string): string => `${name} is deleted`

export const fromLink = (sender: string): string =>
  `This webhook came with a shared link from ${sender}. It is switched off: read the code before you switch it on.`

export const CONFIGURATION_TITLES = {
  mutating: 'Mutating webhook',
  validating: 'Validating webhook',
  conversion: 'Conversion of a custom resource',
  api: 'API service',
} as const

export const INVALID = {
  name: 'The name must consist of lowercase letters, digits, and hyphens.',
  url: 'The address is not a URL.',
  address: 'The address must be a URL that starts with https://, or namespace/name of a Service.',
  noServer: 'the server has not started yet',
} as const

export const nameTaken = (name: string): string => `Another webhook is named ${name}.`

export const notSaved = (reason: string): string => `Cannot save: ${reason}`

export const notDeleted = (reason: string): string => `Cannot delete: ${reason}`

export const CONFIRM = {
  switchOn: 'Switch it on',
  deleteAbout:
    'The code is deleted. Configurations that reference it remain, and their calls will fail.',
  leaveAbout: 'Unsaved changes will be lost.',
  leave: 'Leave it',
  save: 'Save it first',
} as const

export const switchOnTitle = (name: string): string =>
  `Switch on ${name}, which came with a shared link?`

export const switchOnAbout = (sender: string): string =>
  `The link names ${sender} as its sender. Read the code first: it decides about requests in this workspace and receives their objects. It cannot access the network, other workspaces, or the page.`

export const deleteTitle = (name: string): string => `Delete ${name}?`

export const leaveTitle = (name: string): string => `Leave ${name} without saving it?`

export const CALLS = {
  region: 'Calls',
  shown: 'Shown entries',
  clear: 'Clear',
  noOutput: 'Output of console.log appears here.',
  output: 'Console output',
  none: 'No calls yet. Save, apply its configuration, then create a matching object.',
  waiting: 'waiting',
  failed: 'failed',
  open: 'open',
  request: 'Request',
  response: 'Response',
} as const

export const callsTitle = (count: number): string => `Calls ${count}`

export const consoleTitle = (count: number): string => `Console ${count}`

export const lastCalls = (count: number): string =>
  `The last ${count} calls are shown; older calls were dropped.`

export const lastLines = (count: number): string =>
  `The last ${count} lines are shown; older lines were dropped.`
