import type { KubeObject } from '../../../engine/core/object'
import { keyOf } from './field-paths'
import { type Claim, isApplier, type Owner } from './owners'
import type { Done } from './sending'

export interface Transfer {
  claim: Claim
  to: string
}

export interface TransferInput {
  /** An id of a claim; empty: the first one. */
  id: string
  /** undefined: the suggested recipient. */
  typed: string | undefined
  /** Set once a step is sent; keeps the choice when the field's owners change. */
  fixed: Transfer | undefined
}

export interface TransferChoice {
  fields: readonly Claim[]
  claim: Claim | undefined
  to: string
  shown: string
}

/** The recipient if no other manager applies the object. */
const NEW_MANAGER = 'bob'

export const claimId = ({ owner, path }: Claim): string => `${owner.name} ${keyOf(path)}`

/**
 * @param fields that can be transferred
 * @param suggested recipient; empty: another manager that applies the object
 */
export function transferChoice(
  fields: readonly Claim[],
  owners: readonly Owner[],
  suggested: string,
  { id, typed, fixed }: TransferInput,
): TransferChoice {
  const claim = fixed?.claim ?? fields.find((field) => claimId(field) === id) ?? fields[0]
  const other = owners.find(
    (owner) => isApplier(owner, owner.name) && owner.name !== claim?.owner.name,
  )
  const to = fixed?.to ?? (typed?.trim() || suggested || (other?.name ?? NEW_MANAGER))
  const isMissing =
    fixed !== undefined && !fields.some((field) => claimId(field) === claimId(fixed.claim))
  return {
    fields: isMissing ? [fixed.claim, ...fields] : fields,
    claim,
    to,
    shown: fixed ? to : (typed ?? to),
  }
}

export interface Progress {
  /** The response to the last step was an error: it can be sent again. */
  failed: boolean
  finished: boolean
  next: number
}

export function progressOf(done: readonly Done[], count: number): Progress {
  const failed = done.some(({ response }) => !response.ok)
  return {
    failed,
    finished: done.length === count && !failed,
    next: failed ? done.length - 1 : done.length,
  }
}

/** @returns the object of the last response, which can be newer than the cached object */
export function latestOf(object: KubeObject, done: readonly Done[]): KubeObject {
  const json = done.findLast(({ response }) => response.ok)?.response.json as KubeObject | undefined
  return json && Number(json.metadata.resourceVersion) > Number(object.metadata.resourceVersion)
    ? json
    : object
}
