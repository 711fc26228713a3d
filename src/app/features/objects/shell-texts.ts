// The panel

export const object = 'Object'
export const noObject = 'No object selected'
export const choose = 'Select an object in the explorer to follow it live, or apply a manifest.'
export const yaml = 'YAML'
export const status = 'Status'
export const events = 'Events'
export const logs = 'Logs'
export const related = 'Related'
export const manifest = 'Manifest'
export const ownership = 'Ownership'
export const history = 'History'
export const wire = 'Wire'
export const notYet = "doesn't exist at this revision"
export const noLonger = 'no longer exists'
export const loading = 'Loading…'
export const asYaml = (object: string) => `${object} as YAML`
export const notShown = "Can't be displayed."
export const tabs = 'Views of the object'
export const panel = 'object'
export const notThen = "it doesn't exist at this revision"

// Facts

export const namespace = 'namespace'
export const age = 'age'
export const resourceVersion = 'resourceVersion'
export const generation = 'generation'
export const owner = 'owner'
export const lastState = 'Deleted. Last known state shown.'

// Actions

export const edit = 'Edit'
export const editTitle = 'Edit as manifest'
export const copyObject = 'Copy object'
export const copyYaml = 'Copy as YAML'
export const asItWas = 'as it was then'
export const now = 'current state'
export const copyManifest = 'Copy as a manifest'
export const manifestHint = 'without server-set fields'
export const copyKubectl = 'Copy as kubectl'
export const kubectl = 'The kubectl command'
export const copyCurl = 'Copy as curl'
export const curl = 'The curl command'
export const copyFetch = 'Copy as fetch'
export const fetch = 'The fetch call'
export const deleteLabel = 'Delete object'
export const past = "You're viewing the past. Return to now to make changes."
export const remove = 'Delete'
export const yamlCopied = 'The YAML'
export const manifestCopied = 'The manifest'
export const deleted = (object: string) => `Deletion of ${object} requested`
export const question = (object: string) => `Delete ${object}?`
export const consequence =
  'It is deleted once its finalizers are done and, for Pods, the grace period is over.'
