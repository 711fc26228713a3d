/** The page loads these texts first. */
import { numberText } from '../../components/format'

export const welcome = 'Welcome'
export const welcomeTitle = 'A complete Kubernetes API server in this tab'
export const welcomeAbout = (release: string) =>
  `Kubernetes ${release}, simulated in your browser. Nothing to install; no data leaves this page.`
export const simulated = "What's simulated and what isn't"
export const runSample = 'Run the sample below'
export const closeWelcome = 'Close welcome panel'
export const startLesson = 'Start a lesson'
export const startLessonHint =
  'Short lessons and broken clusters to repair, each in its own cluster, with hints.'
export const pasteManifest = 'Paste a manifest'
export const pasteManifestHint = "Paste YAML just as you'd pass it to kubectl apply."
export const openConsole = 'Open the console'
export const openConsoleHint = 'kubectl for this cluster, with tab completion and pipes.'

export const openFiles = 'Open files'
export const tabHint = (title: string) => `${title}: double-click or F2 to rename, Delete to close`
export const closeFile = (title: string) => `Close ${title}`
export const fileName = 'File name'
export const newFile = 'New file'
export const newObject = 'New object'
export const anyKind = 'any kind'
export const newManifest = 'New manifest'
export const emptyFile = 'empty'
export const newScript = 'New script'
export const sideBySide = 'Two files side by side'
export const openFile = 'Open file…'
export const sampleManifests = 'Sample manifests'
export const twoManagers = 'Field conflict between two managers'
export const sampleScripts = 'Sample scripts'
export const editor = 'Editor'
export const closeSplit = 'Close split'
export const storageFull = 'Browser storage is full. Copy your text before closing.'
export const editWaits = 'kubectl edit is waiting. Save to apply your changes; close to cancel.'
export const sharedScript = (sender: string) =>
  `This script came with a shared link from ${sender}. It runs only when you start it.`
export const runShared = 'Run it'
export const closeQuestion = (title: string) => `Close ${title}?`
export const closeConsequence = 'Unsaved text will be lost.'
export const close = 'Close'
export const sampleWeb = 'Deployment with a Service'
export const sampleSettings = 'ConfigMap'
export const sampleTeam = 'Namespace with a Role and RoleBinding'

export const cancel = 'Cancel'
export const save = 'Save'
export const stop = 'Stop'
export const run = 'Run'
export const rejectUnknown = 'reject'
export const strict = 'Strict, kubectl default'
export const warnUnknown = 'warn'
export const warn = 'Warn'
export const dropUnknown = 'drop'
export const ignore = 'Ignore'
export const apply = 'Apply'
export const serverSide = 'server-side'
export const clientSide = 'client-side'
export const create = 'Create'
export const post = 'POST'
export const replace = 'Replace'
export const put = 'PUT'
export const dryRun = 'Dry run'
export const notPersisted = 'not persisted'
export const remove = 'Delete'
export const inManifest = 'objects in this manifest'
export const unknownFields = 'Unknown fields'
export const moreActions = 'More actions'

export const serverSideApply = 'Server-side'
export const serverSideAbout = 'One request. The server merges and reports conflicts.'
export const clientSideApply = 'Client-side'
export const clientSideAbout =
  'Legacy kubectl: three-way merge using the last-applied annotation; no conflict detection.'
export const fieldManager = (manager: string, force: string) =>
  `Field manager: ${manager}${force} (change)`
export const forced = ', force conflicts'
export const force = 'force'
export const fileManager = 'Field manager of this file'
export const managerAbout = 'Fields that you apply are owned under this name.'
export const applyMethod = 'Apply method'
export const forceConflicts = 'Force conflicts'
export const forceAbout = 'Take ownership of conflicting fields.'

export const applied = 'Applied'
export const created = 'Created'
export const replaced = 'Replaced'
export const tried = 'Dry run:'
export const deleted = 'Deleted'
export const sending = 'Sending…'
export const resultsAbout = 'Apply a manifest. Each document is one request; responses appear here.'
export const noResults = 'No results yet'
export const results = 'Results'
export const previous = 'Below: the previous results'
export const progress = 'Progress'
export const doneOf = (done: number, all: number) => `${numberText(done)} of ${numberText(all)}`
export const leftUnsent = (left: number) => `; canceled, ${numberText(left)} not sent`
export const responses = 'Responses'
export const filterResults = 'Filter results by name, status or message'
export const filterResultsHint = 'Filter'
export const notOk = 'Failed'
export const noResultMatches = 'No result matches.'
export const ofAll = (all: number, where: string, note: string) =>
  `of ${numberText(all)}${where}${note}`
export const inFile = (title: string) => ` in ${title}`
export const notStored = ' (nothing was stored)'
export const nothingSent = (where: string) => `Nothing was sent${where}`
export const fromFile = (title: string) => ` from ${title}`
export const conflict = ' not applied: fields are owned by other managers with different values.'
export const lookingUp = 'Looking up the field managers…'
export const theObject = 'the object'
export const line = (number: number) => `line ${number}`
export const copyRequest = (what: string) => `Copy the request of ${what} as kubectl, curl or fetch`

export const unsent = 'not sent'
export const quoteStrings = 'Quote strings: without them YAML reads numbers, true and false.'
export const unknownAdvice = 'Fix the fields, or change “Unknown fields” in the menu next to Apply.'
export const schemaAdvice = "These fields don't match the schema."
export const namespaceAdvice =
  'Create the namespace first: in this file, above this document, or in another one.'
export const existsAdvice = 'Already exists. Use Apply to update it, or Replace to overwrite it.'
export const notFoundAdvice = 'Not found. Use Apply or Create.'
export const conflictAdvice =
  'Conflicting field managers: leave the fields, adopt their values, or force.'
export const modifiedAdvice =
  'The object has been modified. Read it again, or omit metadata.resourceVersion.'
export const terminatingAdvice = 'The namespace is terminating: use another one.'
export const quotaAdvice = 'Request less or raise the quota.'
export const permissionAdvice =
  'Switch to a user with permission (top right), or grant it with a Role and RoleBinding.'
export const policyAdvice = 'Change the value that the policy checks, or the policy.'
export const webhookAdvice = 'The webhook decides: change what its message names.'
export const immutableAdvice = 'Immutable field. Delete and recreate the object.'
export const curlyAdvice =
  'The curly quotes are part of the value: only straight quotes (" and \') delimit strings in YAML.'
export const invalidAdvice = 'Fix these fields and retry.'
export const credentialAdvice = 'Unknown credential. Pick a user at the top right.'
export const unavailableAdvice = 'Try again in a moment.'
export const decodeAdvice = "The document doesn't decode as its kind."
export const status = (status: number) => `HTTP ${status}`

export const applyOrRun = 'Apply the manifest, or run the script'
export const group = 'Manifest'
export const dryRunCommand = 'Dry run: what would happen'
export const createCommand = 'Create (fails if it exists)'
export const replaceCommand = 'Replace (PUT)'
export const deleteCommand = 'Delete objects in this manifest'
export const experiment = 'Experiment: two field managers, one field'
export const newObjectCommand = 'New object of any kind'
export const closeFileCommand = 'Close file'
export const openFilesCommand = 'Open files from this computer'
export const sample = (about: string) => `Sample: ${about}`
