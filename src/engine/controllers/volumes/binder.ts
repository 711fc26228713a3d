/**
 * Recorded from kube-controller-manager 1.31. Claims without class get a later default class too:
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/
 */
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeStatus,
  Pod,
} from 'kubernetes-types/core/v1'
import type { StorageClass } from 'kubernetes-types/storage/v1'
import { defaultStorageClassOf, namesStorageClass } from '../../admission/default-class'
import { draftOf, entryOf, equalJson, type KubeObject } from '../../core/object'
import { type Client, isNotFound } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Controller, Manager } from '../runtime/manager'
import type { Queue } from '../runtime/queue'
import { keyOf } from '../runtime/stored'
import { usesClaim } from './claims'
import { bestVolume, type Claim, classOf, isPromisedTo, mismatch, type Volume } from './matching'
import { driverOf, makerOf, removalOf } from './plugins'

const NAME = 'persistentvolume-binder-controller'
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller'
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed'
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by'
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node'
/** The annotation, and its deprecated name. */
const PROVISIONERS = [
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
]
const MIGRATED_TO = 'pv.kubernetes.io/migrated-to'

export const volumeBinder: Controller = {
  name: NAME,
  run(manager) {
    new VolumeBinder(manager)
  },
}

class VolumeBinder {
  private readonly client: Client
  private readonly recorder: Recorder
  private readonly volumes: Informer<PersistentVolume>
  private readonly claims: Informer<PersistentVolumeClaim>
  private readonly classes: Informer<StorageClass>
  private readonly pods: Informer<Pod>
  private readonly volumeQueue: Queue
  private readonly claimQueue: Queue

  constructor(manager: Manager) {
    this.client = manager.client('persistent-volume-binder')
    this.recorder = manager.recorder(this.client, 'persistentvolume-controller')
    this.volumes = manager.informer<PersistentVolume>('', 'persistentvolumes')
    this.claims = manager.informer<PersistentVolumeClaim>('', 'persistentvolumeclaims')
    this.classes = manager.informer<StorageClass>('storage.k8s.io', 'storageclasses')
    this.pods = manager.informer<Pod>('', 'pods')
    this.volumeQueue = manager.queue(`${NAME} volumes`, (key) => this.syncVolume(key))
    this.claimQueue = manager.queue(NAME, (key) => this.syncClaim(key))
    this.volumes.onChange(({ type, key, object }) => {
      if (type !== 'DELETED') this.volumeQueue.add(key)
      const { namespace, name } = object.spec?.claimRef ?? {}
      if (name) this.claimQueue.add(`${namespace}/${name}`)
      for (const claim of this.claims.list()) {
        const requestedName = claim.spec?.volumeName
        // The sync binds a waiting claim, or sends an event.
        if (requestedName ? requestedName === key && claim.status?.phase === 'Pending' : !name)
          this.claimQueue.add(keyOf(claim))
      }
    })
    this.claims.onChange(({ type, key, object, previous }) => {
      if (type !== 'DELETED') this.claimQueue.add(key)
      for (const name of [object.spec?.volumeName, previous?.spec?.volumeName])
        if (name) this.volumeQueue.add(name)
    })
    this.classes.onChange(({ type, key }) => {
      if (type === 'DELETED') return
      const isDefault = this.defaultClass()?.metadata.name === key
      for (const claim of this.claims.list()) {
        if (
          !claim.spec?.volumeName &&
          (namesStorageClass(claim) ? classOf(claim) === key : isDefault)
        )
          this.claimQueue.add(keyOf(claim))
      }
    })
  }

  private defaultClass(): KubeObject | undefined {
    return defaultStorageClassOf([...this.classes.list()] as KubeObject[])
  }

  private async syncVolume(name: string): Promise<void> {
    const volume = this.volumes.get(name)
    if (volume === undefined || (await this.noteDriver(volume, [PROVISIONED_BY]))) return
    const { claimRef } = volume.spec ?? {}
    if (!claimRef?.uid) return this.setPhase(volume, 'Available')
    const found = this.claims.get(`${claimRef.namespace}/${claimRef.name}`)
    const claim = found?.metadata.uid === claimRef.uid ? found : undefined
    if (claim === undefined) {
      // Keeps the message of a failed reclaim.
      if (volume.status?.phase === 'Failed') return
      await this.setPhase(volume, 'Released')
      return this.reclaim(name)
    }
    if (!claim.spec?.volumeName) return this.claimQueue.add(keyOf(claim))
    if (claim.spec.volumeName === name) return this.setPhase(volume, 'Bound')
    await this.unbind(volume)
  }

  /** Releases a volume whose claim is bound to another one. */
  private async unbind(volume: Volume): Promise<void> {
    const draft = draftOf(volume) as Volume
    const spec = { ...draft.spec }
    if (draft.metadata.annotations?.[BOUND_BY_CONTROLLER]) {
      delete spec.claimRef
      delete draft.metadata.annotations[BOUND_BY_CONTROLLER]
    } else if (spec.claimRef) spec.claimRef = { ...spec.claimRef, uid: '' }
    const changed = await this.client.update<PersistentVolume>({ ...draft, spec })
    await this.setPhase(changed, 'Available')
  }

  private async reclaim(name: string): Promise<void> {
    const volume = this.volumes.get(name)
    const policy = volume?.spec?.persistentVolumeReclaimPolicy
    if (volume === undefined || (policy !== 'Delete' && policy !== 'Recycle')) return
    if (policy === 'Recycle')
      return this.fail(volume, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!')
    const removal = removalOf(volume, volume.metadata.annotations?.[PROVISIONED_BY])
    if (removal === 'elsewhere' || volume.metadata.deletionTimestamp) return
    if (removal === 'delete') await this.client.delete(volume)
    else await this.fail(volume, 'VolumeFailedDelete', removal.problem)
  }

  /**
   * @param by annotations; the first present counts
   * @returns whether a write triggers another sync
   */
  private async noteDriver(object: Volume | Claim, by: string[]): Promise<boolean> {
    const { annotations = {} } = object.metadata
    const maker = by.map((name) => entryOf(annotations, name)).find((name) => name !== undefined)
    if (maker === undefined) return false
    const driver = driverOf(maker)
    if (annotations[MIGRATED_TO] === driver) return false
    const draft = draftOf(object)
    const { [MIGRATED_TO]: _, ...others } = annotations
    draft.metadata.annotations =
      driver === undefined ? others : { ...others, [MIGRATED_TO]: driver }
    await this.write(draft)
    return true
  }

  private async fail(volume: Volume, reason: string, message: string): Promise<void> {
    await this.setPhase(volume, 'Failed', message)
    this.recorder.event(volume, 'Warning', reason, message)
  }

  private async setPhase(volume: Volume, phase: string, message?: string): Promise<void> {
    if (volume.status?.phase === phase) return
    const { message: _, reason: __, ...present } = volume.status ?? {}
    const status: PersistentVolumeStatus = { ...present, phase, ...(message && { message }) }
    await this.write({ ...draftOf(volume), status }, 'status')
  }

  private async syncClaim(key: string): Promise<void> {
    const claim = this.claims.get(key)
    if (claim === undefined || (await this.noteDriver(claim, PROVISIONERS))) return
    if (claim.metadata.annotations?.[BIND_COMPLETED]) return this.syncBound(claim)
    if (claim.metadata.deletionTimestamp) return
    if (claim.spec?.volumeName) return this.bindByName(claim, claim.spec.volumeName)
    const storageClass = this.classes.get(classOf(claim))
    const waits =
      storageClass?.volumeBindingMode === 'WaitForFirstConsumer' &&
      !claim.metadata.annotations?.[SELECTED_NODE]
    const volume = bestVolume(claim, this.volumes.list(), { promisedOnly: waits })
    if (volume !== undefined) return this.bind(claim, volume)
    const byDefault = namesStorageClass(claim) ? undefined : this.defaultClass()?.metadata.name
    if (byDefault !== undefined)
      return this.write({ ...draftOf(claim), spec: { ...claim.spec, storageClassName: byDefault } })
    if (waits) this.recordWaiting(claim)
    else if (classOf(claim) !== '') return this.provision(claim, storageClass)
    else
      this.recorder.event(
        claim,
        'Normal',
        'FailedBinding',
        'no persistent volumes available for this claim and no storage class is set',
      )
    await this.setClaimPhase(claim, 'Pending')
  }

  private recordWaiting(claim: Claim): void {
    const user = [...this.pods.list(claim.metadata.namespace)].find(
      (pod) => !pod.spec?.nodeName && usesClaim(pod, claim.metadata.name ?? ''),
    )
    if (user)
      this.recorder.event(
        claim,
        'Normal',
        'WaitForPodScheduled',
        `waiting for pod ${user.metadata.name} to be scheduled`,
      )
    else
      this.recorder.event(
        claim,
        'Normal',
        'WaitForFirstConsumer',
        'waiting for first consumer to be created before binding',
      )
  }

  private async provision(claim: Claim, storageClass: StorageClass | undefined): Promise<void> {
    if (storageClass === undefined) {
      this.recorder.event(
        claim,
        'Warning',
        'ProvisioningFailed',
        `storageclass.storage.k8s.io ${JSON.stringify(classOf(claim))} not found`,
      )
      return
    }
    const { maker, problem } = makerOf(storageClass.provisioner)
    if (
      maker !== undefined &&
      PROVISIONERS.some((name) => entryOf(claim.metadata.annotations, name) !== maker)
    ) {
      const draft = draftOf(claim)
      draft.metadata.annotations = {
        ...draft.metadata.annotations,
        ...Object.fromEntries(PROVISIONERS.map((name) => [name, maker])),
      }
      await this.write(draft)
    }
    if (problem !== undefined) {
      this.recorder.event(claim, 'Warning', 'ProvisioningFailed', problem)
      return
    }
    const message = `Waiting for a volume to be created either by the external provisioner '${maker}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
    this.recorder.event(claim, 'Normal', 'ExternalProvisioning', message)
  }

  private async bindByName(claim: Claim, name: string): Promise<void> {
    const volume = this.volumes.get(name)
    if (volume === undefined) return this.setClaimPhase(claim, 'Pending')
    if (volume.spec?.claimRef) {
      if (isPromisedTo(volume, claim)) return this.bind(claim, volume)
      this.recorder.event(
        claim,
        'Warning',
        'FailedBinding',
        `volume ${JSON.stringify(name)} already bound to a different claim.`,
      )
      return this.setClaimPhase(claim, 'Pending')
    }
    const why = mismatch(volume, claim)
    if (why === undefined) return this.bind(claim, volume)
    this.recorder.event(
      claim,
      'Warning',
      'VolumeMismatch',
      `Cannot bind to requested volume ${JSON.stringify(name)}: ${why}`,
    )
    return this.setClaimPhase(claim, 'Pending')
  }

  private async syncBound(claim: Claim): Promise<void> {
    const name = claim.spec?.volumeName
    const volume = name ? this.volumes.get(name) : undefined
    const lose = (reason: string, message: string) => {
      if (claim.status?.phase === 'Lost') return undefined
      this.recorder.event(claim, 'Warning', reason, message)
      return this.setClaimPhase(claim, 'Lost')
    }
    if (!name)
      return lose(
        'ClaimLost',
        'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
      )
    if (volume === undefined)
      return lose(
        'ClaimLost',
        'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
      )
    if (volume.spec?.claimRef && volume.spec.claimRef.uid !== claim.metadata.uid) {
      return lose(
        'ClaimMisbound',
        'Two claims are bound to the same volume, this one is bound incorrectly',
      )
    }
    return this.bind(claim, volume)
  }

  /** Each step can be repeated after a failure. */
  private async bind(claim: Claim, volume: Volume): Promise<void> {
    const bound = await this.bindVolume(volume, claim)
    await this.setPhase(bound, 'Bound')
    const draft = draftOf(claim) as Claim
    const annotations: Record<string, string> = {
      ...draft.metadata.annotations,
      [BIND_COMPLETED]: 'yes',
    }
    if (!claim.spec?.volumeName) annotations[BOUND_BY_CONTROLLER] = 'yes'
    draft.metadata.annotations = annotations
    const spec = { ...draft.spec, volumeName: volume.metadata.name ?? '' }
    const same =
      equalJson(annotations, claim.metadata.annotations ?? {}) && equalJson(spec, claim.spec)
    const written = same
      ? claim
      : await this.client.update<PersistentVolumeClaim>({ ...draft, spec })
    const status = {
      ...written.status,
      phase: 'Bound',
      accessModes: volume.spec?.accessModes ?? [],
      capacity: volume.spec?.capacity ?? {},
    }
    if (!equalJson(status, written.status))
      await this.write({ ...draftOf(written), status }, 'status')
  }

  private async bindVolume(volume: Volume, claim: Claim): Promise<Volume> {
    const { claimRef } = volume.spec ?? {}
    const { namespace = '', name = '', uid = '', resourceVersion = '' } = claim.metadata
    if (claimRef?.uid === uid) return volume
    const draft = draftOf(volume)
    if (!claimRef)
      draft.metadata.annotations = { ...draft.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' }
    const reference = {
      kind: 'PersistentVolumeClaim',
      namespace,
      name,
      uid,
      apiVersion: 'v1',
      resourceVersion,
    }
    return this.client.update<PersistentVolume>({
      ...draft,
      spec: { ...volume.spec, claimRef: reference },
    })
  }

  private async setClaimPhase(claim: Claim, phase: string): Promise<void> {
    if (claim.status?.phase === phase) return
    const { accessModes: _, capacity: __, ...rest } = claim.status ?? {}
    await this.write({ ...draftOf(claim), status: { ...rest, phase } }, 'status')
  }

  private async write(
    object: Parameters<Client['update']>[0],
    subresource?: string,
  ): Promise<void> {
    try {
      await this.client.update(object, subresource)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}
