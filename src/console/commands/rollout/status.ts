import { entryOf, type JsonObject } from '../../../engine/core/object'
import { CommandError } from '../../errors'

export interface Progress {
  text: string
  done: boolean
}

interface Rolled {
  metadata: { name: string; generation?: number }
  spec: {
    replicas?: number
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } }
  }
  status?: {
    observedGeneration?: number
    replicas?: number
    readyReplicas?: number
    updatedReplicas?: number
    availableReplicas?: number
    currentRevision?: string
    updateRevision?: string
    updatedNumberScheduled?: number
    desiredNumberScheduled?: number
    numberAvailable?: number
    conditions?: { type: string; reason?: string }[]
  }
}

/** @throws CommandError for a failed rollout, or a strategy without status */
export function progressOf(object: JsonObject, kind: string): Progress {
  const rolled = object as unknown as Rolled
  const viewer = entryOf(VIEWERS, kind)
  if (viewer === undefined)
    throw new CommandError(`no status viewer has been implemented for ${kind}`)
  return viewer(rolled)
}

const waiting = (text: string): Progress => ({ text: `Waiting for ${text}\n`, done: false })

const VIEWERS: Record<string, (rolled: Rolled) => Progress> = {
  Deployment({ metadata, spec, status = {} }) {
    const { name, generation = 0 } = metadata
    if (generation > (status.observedGeneration ?? 0))
      return waiting('deployment spec update to be observed...')
    if (
      status.conditions?.some(
        ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
      )
    ) {
      throw new CommandError(`deployment ${JSON.stringify(name)} exceeded its progress deadline`)
    }
    const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status
    const finish = (what: string): Progress =>
      waiting(`deployment ${JSON.stringify(name)} rollout to finish: ${what}`)
    if (spec.replicas !== undefined && updatedReplicas < spec.replicas)
      return finish(`${updatedReplicas} out of ${spec.replicas} new replicas have been updated...`)
    if (replicas > updatedReplicas)
      return finish(`${replicas - updatedReplicas} old replicas are pending termination...`)
    if (availableReplicas < updatedReplicas)
      return finish(`${availableReplicas} of ${updatedReplicas} updated replicas are available...`)
    return { text: `deployment ${JSON.stringify(name)} successfully rolled out\n`, done: true }
  },
  DaemonSet({ metadata, spec, status = {} }) {
    const { name, generation = 0 } = metadata
    if (spec.updateStrategy?.type !== 'RollingUpdate')
      throw new CommandError('rollout status is only available for RollingUpdate strategy type')
    if (generation > (status.observedGeneration ?? 0))
      return waiting('daemon set spec update to be observed...')
    const { updatedNumberScheduled = 0, desiredNumberScheduled = 0, numberAvailable = 0 } = status
    const finish = (what: string): Progress =>
      waiting(`daemon set ${JSON.stringify(name)} rollout to finish: ${what}`)
    if (updatedNumberScheduled < desiredNumberScheduled)
      return finish(
        `${updatedNumberScheduled} out of ${desiredNumberScheduled} new pods have been updated...`,
      )
    if (numberAvailable < desiredNumberScheduled)
      return finish(`${numberAvailable} of ${desiredNumberScheduled} updated pods are available...`)
    return { text: `daemon set ${JSON.stringify(name)} successfully rolled out\n`, done: true }
  },
  StatefulSet({ metadata, spec, status = {} }) {
    if (spec.updateStrategy?.type !== 'RollingUpdate')
      throw new CommandError('rollout status is only available for RollingUpdate strategy type')
    if (!status.observedGeneration || (metadata.generation ?? 0) > status.observedGeneration)
      return waiting('statefulset spec update to be observed...')
    const {
      readyReplicas = 0,
      updatedReplicas = 0,
      currentRevision = '',
      updateRevision = '',
    } = status
    const replicas = spec.replicas ?? 0
    if (readyReplicas < replicas) return waiting(`${replicas - readyReplicas} pods to be ready...`)
    const { partition } = spec.updateStrategy.rollingUpdate ?? {}
    if (partition !== undefined && partition > 0) {
      if (updatedReplicas < replicas - partition) {
        return waiting(
          `partitioned roll out to finish: ${updatedReplicas} out of ${replicas - partition} new pods have been updated...`,
        )
      }
      return {
        text: `partitioned roll out complete: ${updatedReplicas} new pods have been updated...\n`,
        done: true,
      }
    }
    if (updateRevision !== currentRevision) {
      return {
        text: `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision}...\n`,
        done: false,
      }
    }
    return {
      text: `statefulset rolling update complete ${replicas} pods at revision ${currentRevision}...\n`,
      done: true,
    }
  },
}
