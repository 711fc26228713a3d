import { actingAs } from '../texts'

export const USERS = {
  region: 'Users',
  list: 'Users',
  add: 'Sign in as another user',
  method: 'Credential',
  certificate: 'Certificate',
  token: 'Bearer token',
  exec: 'Exec plugin',
  noCredential: 'no credential',
  tokenFile: 'token file',
  acting: 'acting',
  act: 'Act',
  permissions: 'Permissions',
  removeCredential: 'Remove credential',
  whoAmI: 'Who am I?',
  whoAmIAbout: 'Sends a SelfSubjectReview, like “kubectl auth whoami”.',
  identity: 'Current identity',
} as const

export const removeUser = (name: string): string => `Remove ${name}`

export const CERTIFICATE = {
  about:
    'The common name (CN) becomes the user name, and each organization (O) a group. This page creates a private key and a certificate signing request (CSR), and then discards the key. A real client proves over TLS that it holds the key; this page presents only the certificate.',
  commonName: 'Common name (user)',
  organizations: 'Organizations (groups)',
  generate: 'Generate key and CSR',
  create: 'Create key and CSR',
  approve: 'Approve and sign',
  waiting: 'Waiting for the signer …',
  signed: 'Signed by the cluster CA. Valid for 1 day.',
  use: 'Use the certificate',
  another: 'Create another',
  paste: 'Or paste a certificate that this cluster has issued (PEM)',
  pem: 'Certificate in PEM',
  pemStart: '-----BEGIN CERTIFICATE-----',
  act: 'Act with this certificate',
  notIssued: 'no certificate was issued: the signing controllers might not be running',
  noReason: 'no reason was given',
} as const

export const approveAs = (name: string): string => `Approve as ${name}`

export const ACCOUNT = {
  about:
    'Sends a TokenRequest, like “kubectl create token”. The server issues a token for the service account. Request a new token when it expires.',
  lifetime: 'Valid for',
  tenMinutes: '10 minutes',
  hour: '1 hour',
  day: '1 day',
  request: 'Request token and use it',
} as const

export const actingUntil = (name: string, time: string): string => `${actingAs(name)} until ${time}`

export const TOKEN = {
  about: 'The token is stored only in this browser: never in links, exports, or logs.',
  label: 'Bearer token',
  example: 'bob-token, 0123ab.0123456789abcdef, eyJ…',
  act: 'Act with this token',
} as const

export const tokenRejected = (reason: string): string => `The server rejected this token: ${reason}`

export const EXEC = {
  about:
    'A kubeconfig can name an exec credential plugin. The client runs the plugin, caches the credential, and runs the plugin again when the credential expires or the server returns 401. Here the YAML describes the output of the plugin.',
  yaml: 'Exec plugin as YAML',
  send: 'Send a request',
  newProcess: 'Restart the client',
  restarted: 'Client restarted: the cache is empty',
  events: 'Client log',
  input: 'Plugin input',
  output: 'Plugin output',
  outputTitle: 'Plugin output, cached by the client',
} as const

export const INVALID_PLUGIN = {
  command: 'command is required: the name of the plugin',
  interactiveMode: 'interactiveMode must be Never, IfAvailable, or Always',
  outputs: 'outputs is required: the output of each run of the plugin',
} as const

export const versionOneOf = (versions: readonly string[]): string =>
  `apiVersion must be one of ${versions.join(', ')}`

export const outputWithoutToken = (index: number): string => `outputs[${index}] has no token`

export const invalidLifetime = (index: number): string =>
  `outputs[${index}].lifetimeSeconds must be a positive number of seconds`

export const inputTitle = (variable: string): string => `${variable}: the plugin input`

export const OCCASIONS = {
  first: 'No cached credential: running the plugin',
  cached: 'Using the cached credential; the plugin does not run',
  expired: 'The expirationTimestamp has passed: running the plugin again',
  unauthorized: 'Status 401: running the plugin again for the next request',
} as const

export const execResponse = (status: number, user: string | undefined): string =>
  user === undefined ? `HTTP ${status}` : `HTTP ${status}: authenticated as ${user}`

export const UNKNOWN_USER = 'unknown'
