import { ageText } from '../../components/age'
import { timeText } from '../../components/format'
import type { OwnedLine } from './lines'
import { isApplier, type Owner } from './owners'

export const MANAGERS = {
  none: 'no manager',
  you: '(you)',
  byUpdate: 'by an update',
} as const

export const through = (subresource: string): string => `through ${subresource}`

export const ownedBy = (names: string): string => `owned by ${names}`

export const thenOwnedBy = (before: string, after: string): string => `${before}, then ${after}`

export const andMore = (count: number): string => `and ${count} more`

/** `Apply · apps/v1 · through scale` */
export function actText({ operation, apiVersion, subresource }: Owner): string {
  return [operation, apiVersion, subresource && through(subresource)].filter(Boolean).join(' · ')
}

/** `since 14:03:27, 5m ago` */
export function sinceText({ time, subresource }: Owner, now = Date.now()): string {
  const at = Date.parse(time)
  if (subresource === 'scale' && time === '') return 'the scale subresource records no time'
  return Number.isNaN(at) ? 'time not recorded' : `since ${timeText(at)}, ${ageText(now - at)} ago`
}

/** Further names are counted. */
const NAMED = 4

/** `alice, bob and carol`, each once. */
export function namesOf(owners: readonly Owner[]): string {
  const names = [...new Set(owners.map(({ name }) => name))]
  if (names.length < 2) return names[0] ?? MANAGERS.none
  if (names.length > NAMED)
    return `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} others`
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Owners that conflict with an applier, by name. Its own Update entries conflict too. */
export function othersThan(applier: string, owners: readonly Owner[]): Owner[] {
  return owners
    .filter((owner) => !isApplier(owner, applier))
    .map((owner) =>
      owner.name === applier
        ? { ...owner, name: `${applier} (${owner.subresource || owner.operation})` }
        : owner,
    )
}

export function ownerWords({ claims, state }: OwnedLine): string {
  if (state === 'unowned') return MANAGERS.none
  if (claims.length === 0) return ''
  return ownedBy(namesOf(claims.map(({ owner }) => owner)))
}

export function meaningOf({ claims, state, piece }: OwnedLine): string {
  const owners = new Set(claims.map(({ owner }) => owner.id))
  const whole =
    piece || claims.some(({ atomic }) => atomic)
      ? 'Atomic: it is owned and replaced as a whole. '
      : ''
  if (state === 'unowned')
    return 'No manager owns this field: it is a default, or computed by the server. The first manager that applies it owns it.'
  if (state === 'server')
    return "The server manages this field, or it is part of the object's identity: no manager can own it."
  if (state === 'structure') return 'The fields below have owners of their own.'
  if (owners.size > 1)
    return `${whole}Shared: applying another value is a conflict; omitting it relinquishes only that manager's share.`
  const [only] = claims
  return only?.owner.operation === 'Apply'
    ? `${whole}Applying another value is a conflict; applying the same value shares it. The owner removes the field by omitting it.`
    : `${whole}Applying another value is a conflict; applying the same value shares it. An update set it: omitting it removes nothing.`
}

export const VIEW = {
  region: 'Ownership',
  show: 'Show',
  map: 'Who owns what',
  try: 'What if',
  handOver: 'Transfer',
} as const

export const MAP = {
  noneTitle: 'No manager owns a field of this object',
  none: 'Its managedFields are empty: the next write adds an entry.',
  managers: 'Managers',
  lines: 'Lines and their owners',
  hint: 'Select a line to see its owners, or a manager to see only its fields.',
  twoManagers: 'What if two managers want the same field?',
  rawPath: 'The path in managedFields',
  atomic: 'atomic',
  applyManager:
    'Operation Apply: fields omitted from its next apply are relinquished, and removed if no other manager owns them.',
  updateManager:
    'Operation Update: it owns the fields that it changed last, and takes ownership without conflicts.',
  unownedTitle: 'No manager',
  unowned:
    'Defaults and values computed by the server. The first manager that applies such a field owns it, without a conflict.',
} as const

export const showOnly = (manager: string): string => `Show only what ${manager} owns`

export const sharedBy = (names: string): string => `shared: ${names}`

/** A path of managedFields that is owned without its children. */
export const pathItself = (path: string): string => `${path} itself`

export const VALUES = { unset: 'unset' } as const

export const EFFECTS = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  reset: 'reset',
  taken: 'taken over',
  shared: 'shared',
  claimed: 'owned now',
  relinquished: 'relinquished',
  followed: 'computed',
  byServer: 'by the server',
} as const

export const TRY = {
  applyAs: 'Apply as',
  manager: 'Field manager',
  newManager: 'a new manager',
  manifest: 'Manifest to try',
  open: 'Open in the editor',
  dryRun: 'Nothing was persisted. Each result is a dry run: see “Everything” in Requests.',
  region: 'Result of the dry run',
  waiting: 'Waiting for the server …',
  forced: 'with force',
  noChange: 'The request would succeed and change nothing.',
  success: 'The request would succeed:',
  nothingChanges: 'Nothing would change.',
} as const

export const whatApplies = (manager: string): string => `what ${manager} applies`

export const conflictCount = (count: number): string =>
  `Conflict: ${count} field${count === 1 ? ' is' : 's are'} owned by other managers.`

export const takesOver = (manager: string): string => `${manager} would take over the fields:`

export const onLine = (line: number, message: string): string => `line ${line}: ${message}`

export const CONFLICT_TABLE = {
  field: 'field',
  yours: 'yours',
  live: 'live',
  owner: 'owner',
} as const

export const CONFLICT_HELP = {
  loading: 'Looking up the owners …',
  closed: 'The file was closed: open it and send it again to use these options.',
  resend: 'Send it again',
  resendWhy: 'to use these options.',
  sentences: {
    source: 'The results come from a server',
    dryRun: 'dry run',
    whatIs: '. What is a',
    conflict: 'conflict',
    whatDoes: ', and what does',
    force: 'force',
    do: 'do?',
  },
  trying: 'Trying …',
} as const

export const liveUnreadable = (reason: string): string => `Cannot read the live object: ${reason}`

export const ownersOfRest = (name: string): string => `See who owns the rest of ${name}`

export const changedSince = (file: string): string => `${file} was changed since.`

export const wouldFail = (reason: string): string => `Would fail: ${reason}`

export const otherChanges = (count: number): string =>
  `and ${count} other change${count === 1 ? '' : 's'}`

export const whatToDo = (field: string): string => `What to do about ${field}`

export const FIELD_CHOICES = { leave: 'leave', share: 'share', force: 'force' } as const

export const OPTIONS = {
  field: 'the field',
  fields: 'the fields',
  shareRelinquished: '; you relinquish your share',
  share: 'Adopt the live value',
  force: 'Force',
  choices: 'Apply choices',
  choicesAbout: 'Decide per field:',
} as const

export const leaveTitle = (fields: string, owners: string): string => `Leave ${fields} to ${owners}`

export const leaveAbout = (fields: string, shared: boolean): string =>
  `Removes ${fields} from your manifest${shared ? OPTIONS.shareRelinquished : ''}.`

export const shareAbout = (fields: string): string =>
  `Copies the live value to your manifest: you own ${fields} together.`

export const forceAbout = (fields: string, owners: string, several: boolean): string =>
  `Overrides the value: ${owners} ${several ? 'lose' : 'loses'} ownership of ${fields}.`

export const TRANSFERS = {
  recipe: 'Recipe',
  applier: 'To another manager',
  controller: 'To a controller',
  serverSide: 'From client-side apply',
  clear: 'Clear',
  field: 'Field',
  none: 'No manager applies fields of this object. Apply a manifest first: applied fields can be transferred.',
  applierAbout:
    'Another manager takes over a field. The field always has an owner, and its value does not change.',
  newOwner: 'New owner',
  controllerAbout:
    'A controller takes over a field, for example the number of replicas. Until its first write, a temporary manager owns the field.',
  controllerName: 'Controller',
  serverSideAbout:
    'Client-side apply owns fields by updating them. These two requests migrate them, as “kubectl apply --server-side” does.',
  notClientSide:
    'This object was not applied client-side. To try it, select “Client-side” in the options next to Apply, apply a manifest, and come back.',
  clearAbout: 'Clears the ownership of all fields. Values stay unchanged.',
  patchType: 'Patch type',
  mergePatch: 'Merge patch',
  jsonPatch: 'JSON Patch',
} as const

export const alreadyOwner = (manager: string): string =>
  `${manager} already owns this field: enter another manager.`

export const fieldOf = (path: string, manager: string): string => `${path} (${manager})`

export const STEPS = {
  runAll: 'Run all steps',
  runRest: 'Run the rest',
  startOver: 'Start over',
  send: 'Send',
  sendAgain: 'Send again',
  contentType: 'Content-Type:',
  noEffect: 'Ownership was cleared, or did not change.',
} as const

export const notSent = (reason: string): string => `The request was not sent: ${reason}`

export const sentTimes = (times: number): string =>
  `Conflicted with another write: sent ${times} times.`

export const STEP_TEXTS = {
  applyLive: (to: string, field: string) => ({
    title: `${to} applies it with the live value`,
    about: `The value is the same, so there is no conflict: ${field} is shared.`,
  }),
  relinquish: (from: string, to: string) => ({
    title: `${from} applies its manifest without it`,
    about: `${from} relinquishes its share. The field stays, because ${to} owns it.`,
  }),
  temporary: (manager: string) => ({
    title: `A temporary manager, ${manager}, applies only this field`,
    about: 'It applies the live value, so the field is shared and always has an owner.',
  }),
  controller: (to: string, temporary: string) => ({
    title: `${to} writes the field`,
    about: `It writes a value of its own, as the controller does. ${temporary} then owns no field, so the server removes its entry.`,
  }),
  serverSide: (manager: string) => ({
    title: 'Apply the same manifest server-side',
    about: `The manager ${manager} applies the last applied configuration: both managers own the fields.`,
  }),
  merge: (from: string, to: string) => ({
    title: `Move the fields of ${from} to ${to}`,
    about:
      'The two entries are merged. Otherwise a field that you omit later would stay, because the old manager would still own it.',
  }),
  reset: () => ({
    title: 'Reset managedFields',
    about:
      'The patch sets a list with one empty entry. Then no manager owns any field: the next applies meet no conflicts and remove nothing.',
  }),
} as const
