/** Claims are created before their pods. */
import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { draftOf, equalJson } from '../../core/object'
import { ApiError, serverError } from '../../http/status'
import { alreadyExists, type Client, inTerminatingNamespace, isConflict } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import { keyOf, type Stored } from '../runtime/stored'
import { claimOwners, claimsOf, ordinalOf, podName } from './pods'

export interface ClaimsContext {
  client: Client
  recorder: Recorder
  claims: Informer<PersistentVolumeClaim>
}

export class Claims {
  /** @param isOwner whether sets and pods own claims, so that claims are deleted with them */
  constructor(
    private readonly context: ClaimsContext,
    private readonly set: Stored<StatefulSet>,
    private readonly isOwner: boolean,
  ) {}

  /** Whether an earlier pod owns a claim, which is deleted with it. */
  hasStale(ordinal: number): boolean {
    if (
      !this.isOwner ||
      this.set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete'
    )
      return false
    const pod = podName(this.set, ordinal)
    return claimsOf(this.set, ordinal).some((claim) =>
      this.context.claims
        .get(keyOf(claim))
        ?.metadata.ownerReferences?.some(({ kind, name }) => kind === 'Pod' && name === pod),
    )
  }

  /** @throws ApiError if a claim fails, after all claims */
  async create(ordinal: number): Promise<void> {
    const { client, claims, recorder } = this.context
    const pod = podName(this.set, ordinal)
    const set = this.set.metadata.name
    const problems: string[] = []
    for (const claim of claimsOf(this.set, ordinal)) {
      const { name } = claim.metadata
      const present = claims.get(keyOf(claim))
      if (present !== undefined) {
        if (present.metadata.deletionTimestamp) problems.push(`pvc ${name} is being deleted`)
        continue
      }
      try {
        await client.create(claim)
        recorder.event(
          this.set,
          'Normal',
          'SuccessfulCreate',
          `create Claim ${name} Pod ${pod} in StatefulSet ${set} success`,
        )
      } catch (error) {
        if (!(error instanceof ApiError) || inTerminatingNamespace(error)) throw error
        problems.push(`failed to create PVC ${name}: ${error.message}`)
        const message = `create Claim ${name} for Pod ${pod} in StatefulSet ${set} failed error: ${error.message}`
        if (!alreadyExists(error)) recorder.event(this.set, 'Warning', 'FailedCreate', message)
      }
    }
    const [first] = problems
    if (first !== undefined)
      throw serverError(problems.length === 1 ? first : `[${problems.join(', ')}]`)
  }

  /** @returns whether an owner changed */
  async settleOwners(pod: Stored<Pod>, isCondemned: boolean): Promise<boolean> {
    const { client, claims } = this.context
    let changed = false
    if (!this.isOwner) return changed
    for (const given of claimsOf(this.set, ordinalOf(this.set, pod))) {
      const claim = claims.get(keyOf(given))
      if (claim === undefined) continue
      const settle = async (present: Stored<PersistentVolumeClaim>): Promise<boolean> => {
        const owners = claimOwners(this.set, pod, present, isCondemned)
        if (equalJson(owners, present.metadata.ownerReferences ?? [])) return false
        const { ownerReferences: _, ...rest } = draftOf(present).metadata
        await client.update({
          ...draftOf(present),
          metadata: { ...rest, ...(owners.length > 0 && { ownerReferences: owners }) },
        })
        return true
      }
      // The binder may update a new claim meanwhile.
      const done = settle(claim).catch(async (error: unknown) => {
        if (!isConflict(error)) throw error
        return settle(await client.get<PersistentVolumeClaim>(given))
      })
      changed = (await done) || changed
    }
    return changed
  }
}
