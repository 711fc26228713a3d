/** Accepted names are unique in a group (recording `crd-def-clash`). */
import { equalJson } from '../core/object'
import { approvalOf } from '../kinds/apiextensions/approval'
import {
  conditionOf,
  type Definition,
  type DefinitionCondition,
  type DefinitionNames,
  type DefinitionStatus,
  withCondition,
} from '../kinds/apiextensions/definition'
import { hasUsableCertificates } from '../kinds/apiextensions/validation/conversion'
import { goQuote } from '../schema/go-text'

interface Taken {
  resources: Set<string>
  kinds: Set<string>
}

function takenIn(group: string, definitions: Iterable<Definition>): Taken {
  const taken: Taken = { resources: new Set(), kinds: new Set() }
  for (const { spec, status } of definitions) {
    if (spec.group !== group || !status) continue
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames
    for (const name of [plural, singular, ...shortNames]) taken.resources.add(name)
    for (const name of [kind, listKind]) taken.kinds.add(name)
  }
  return taken
}

/**
 * @param all includes this one
 * @returns undefined if nothing changes
 */
export function statusAfterNaming(
  definition: Definition,
  all: Iterable<Definition>,
  now: string,
): DefinitionStatus | undefined {
  const { spec, status } = definition
  if (equalJson(spec.names, status.acceptedNames)) return undefined
  const { accepted, condition } = decide(spec.names, status.acceptedNames, takenIn(spec.group, all))
  const known = conditionOf(definition, 'NamesAccepted')
  if (equalJson(accepted, status.acceptedNames) && sameCondition(known, condition)) return undefined
  return withCondition(
    withCondition({ ...status, acceptedNames: accepted }, condition, now),
    establishing(conditionOf(definition, 'Established'), condition),
    now,
  )
}

function sameCondition(a: DefinitionCondition | undefined, b: DefinitionCondition): boolean {
  return a?.status === b.status && a.reason === b.reason && a.message === b.message
}

/** Only the last conflict is reported. */
function decide(
  requested: DefinitionNames,
  accepted: DefinitionNames,
  taken: Taken,
): { accepted: DefinitionNames; condition: DefinitionCondition } {
  const names: DefinitionNames = { ...accepted }
  let condition: DefinitionCondition = {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  }
  const conflict = (reason: string, message: string) => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message }
  }
  const single = (
    member: 'plural' | 'singular' | 'kind' | 'listKind',
    used: Set<string>,
    reason: string,
  ) => {
    const wanted = requested[member] ?? ''
    if (wanted !== (accepted[member] ?? '') && used.has(wanted)) conflict(reason, inUse(wanted))
    else names[member] = wanted
  }
  single('plural', taken.resources, 'PluralConflict')
  single('singular', taken.resources, 'SingularConflict')
  const clashing = (requested.shortNames ?? []).filter(
    (name) => !accepted.shortNames?.includes(name) && taken.resources.has(name),
  )
  if (clashing.length > 0) conflict('ShortNamesConflict', aggregated(clashing.map(inUse)))
  else setOrDrop(names, 'shortNames', requested.shortNames)
  single('kind', taken.kinds, 'KindConflict')
  single('listKind', taken.kinds, 'ListKindConflict')
  setOrDrop(names, 'categories', requested.categories)
  return { accepted: names, condition }
}

function setOrDrop(
  names: DefinitionNames,
  member: 'shortNames' | 'categories',
  value: string[] | undefined,
): void {
  if (value === undefined) delete names[member]
  else names[member] = value
}

const inUse = (name: string): string => `${goQuote(name)} is already in use`

function aggregated(messages: string[]): string {
  const different = [...new Set(messages)]
  return different.length === 1 ? (different[0] as string) : `[${different.join(', ')}]`
}

function establishing(
  established: DefinitionCondition | undefined,
  names: DefinitionCondition,
): DefinitionCondition {
  if (established?.status === 'True') return established
  return names.status === 'True'
    ? {
        type: 'Established',
        status: 'False',
        reason: 'Installing',
        message: 'the initial names have been accepted',
      }
    : {
        type: 'Established',
        status: 'False',
        reason: 'NotAccepted',
        message: 'not all names are accepted',
      }
}

/**
 * Not established with an invalid CA bundle of the conversion webhook (changelog of Kubernetes
 * 1.31).
 * @returns undefined if nothing changes
 */
export function statusWhenEstablished(
  definition: Definition,
  now: string,
): DefinitionStatus | undefined {
  const known = conditionOf(definition, 'Established')
  if (conditionOf(definition, 'NamesAccepted')?.status !== 'True' || known?.status === 'True')
    return undefined
  const found: DefinitionCondition = hasUsableCertificates(definition.spec)
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : {
        type: 'Established',
        status: 'False',
        reason: 'InvalidCABundle',
        message: 'The conversion webhook CABundle is invalid',
      }
  return sameCondition(known, found) ? undefined : withCondition(definition.status, found, now)
}

/** For protected groups. @returns undefined if nothing changes */
export function statusOfApproval(
  definition: Definition,
  now: string,
): DefinitionStatus | undefined {
  const found = approvalOf(definition.spec.group, definition.metadata.annotations)
  if (found === undefined || sameCondition(conditionOf(definition, found.type), found))
    return undefined
  return withCondition(definition.status, found, now)
}
