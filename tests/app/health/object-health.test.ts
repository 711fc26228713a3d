/** The state of an object in one line: the words of kubectl, the level of kstatus. */

import { describe, expect, it } from 'vitest'
import { hasHealth, healthOf } from '../../../src/app/state/health/object-health'
import type { KubeObject } from '../../../src/engine/core/object'
import { kubeObject } from '../../support/json-objects'

const object = (
  apiVersion: string,
  kind: string,
  rest: { metadata?: object; spec?: object; status?: object; endpoints?: object[] },
): KubeObject =>
  kubeObject({
    apiVersion,
    kind,
    ...rest,
    metadata: { name: 'a', generation: 1, ...rest.metadata },
  })

const seen = { observedGeneration: 1 }
const condition = (type: string, status: string, reason = '', message = '') => ({
  conditions: [{ type, status, reason, message }],
})
const read = (one: KubeObject) => {
  const { level, text, reason } = healthOf(one)
  return [level, text, reason]
}

const deployment = (status: object, spec: object = {}) =>
  object('apps/v1', 'Deployment', {
    spec: { replicas: 3, ...spec },
    status: { ...seen, ...status },
  })
const ready = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 }

describe('a Deployment', () => {
  it.each([
    ['complete', deployment(ready), 'Current', '3/3 ready', ''],
    [
      'updating',
      deployment({ ...ready, updatedReplicas: 1 }),
      'InProgress',
      '3/3 ready',
      '1 of 3 new replicas have been updated.',
    ],
    [
      'ending old replicas',
      deployment({ ...ready, replicas: 4 }),
      'InProgress',
      '3/3 ready',
      '1 old replicas are pending termination.',
    ],
    [
      'not available',
      deployment({ ...ready, readyReplicas: 2, availableReplicas: 2 }),
      'InProgress',
      '2/3 ready',
      '2 of 3 updated replicas are available.',
    ],
    [
      'unseen by its controller',
      object('apps/v1', 'Deployment', { metadata: { generation: 2 }, spec: {}, status: seen }),
      'InProgress',
      '0/1 ready',
      'The controller has not seen the latest spec yet.',
    ],
    [
      'late',
      deployment(condition('Progressing', 'False', 'ProgressDeadlineExceeded', 'timed out')),
      'Failed',
      '0/3 ready',
      'ProgressDeadlineExceeded: timed out',
    ],
    [
      'out of quota',
      deployment(condition('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota')),
      'Failed',
      '0/3 ready',
      'FailedCreate: exceeded quota',
    ],
    ['paused', deployment(ready, { paused: true }), 'None', '3/3 ready', 'Rollout paused.'],
    ['scaled to zero', deployment({}, { replicas: 0 }), 'None', '0/0 ready', ''],
  ])('that is %s', (_what, one, level, text, reason) => {
    expect(read(one)).toEqual([level, text, reason])
  })
})

describe('other kinds', () => {
  const replicaSet = (status: object, replicas = 2) =>
    object('apps/v1', 'ReplicaSet', { spec: { replicas }, status: { ...seen, ...status } })
  const statefulSet = (status: object) =>
    object('apps/v1', 'StatefulSet', { spec: { replicas: 2 }, status: { ...seen, ...status } })
  const daemonSet = (status: object) =>
    object('apps/v1', 'DaemonSet', { spec: {}, status: { ...seen, ...status } })
  const job = (status: object) => object('batch/v1', 'Job', { spec: { completions: 3 }, status })
  const v1 = (kind: string, status: object, spec: object = {}) =>
    object('v1', kind, { spec, status })

  it.each<[string, KubeObject, string, string]>([
    ['a ReplicaSet', replicaSet({ replicas: 2, readyReplicas: 2 }), 'Current', '2/2 ready'],
    ['a ReplicaSet without ready Pods', replicaSet({ replicas: 2 }), 'InProgress', '0/2 ready'],
    ['an old ReplicaSet', replicaSet({ replicas: 0 }, 0), 'None', '0/0 ready'],
    ['a StatefulSet', statefulSet({ replicas: 2, readyReplicas: 2 }), 'Current', '2/2 ready'],
    [
      'a StatefulSet in a rollout',
      statefulSet({ replicas: 2, readyReplicas: 2, updateRevision: 'b', currentRevision: 'a' }),
      'InProgress',
      '2/2 ready',
    ],
    [
      'a DaemonSet',
      daemonSet({
        desiredNumberScheduled: 3,
        updatedNumberScheduled: 3,
        numberReady: 3,
        numberAvailable: 3,
      }),
      'Current',
      '3/3 ready',
    ],
    [
      'a DaemonSet that starts',
      daemonSet({ desiredNumberScheduled: 3 }),
      'InProgress',
      '0/3 ready',
    ],
    ['a Job', job({ succeeded: 1 }), 'InProgress', 'Running 1/3'],
    [
      'a Job that is done',
      job({ succeeded: 3, ...condition('Complete', 'True') }),
      'Current',
      'Complete 3/3',
    ],
    [
      'a failed Job',
      job(condition('Failed', 'True', 'BackoffLimitExceeded')),
      'Failed',
      'Failed 0/3',
    ],
    [
      'a suspended CronJob',
      object('batch/v1', 'CronJob', { spec: { suspend: true } }),
      'None',
      'Suspended',
    ],
    ['a Node', v1('Node', condition('Ready', 'True')), 'Current', 'Ready'],
    ['a Node that is lost', v1('Node', condition('Ready', 'Unknown')), 'Failed', 'NotReady'],
    [
      'a cordoned Node',
      v1('Node', condition('Ready', 'True'), { unschedulable: true }),
      'Current',
      'Ready,SchedulingDisabled',
    ],
    ['a Namespace', v1('Namespace', { phase: 'Active' }), 'Current', 'Active'],
    ['a claim', v1('PersistentVolumeClaim', { phase: 'Pending' }), 'InProgress', 'Pending'],
    ['a lost claim', v1('PersistentVolumeClaim', { phase: 'Lost' }), 'Failed', 'Lost'],
    ['a volume', v1('PersistentVolume', { phase: 'Released' }), 'InProgress', 'Released'],
    ['a Service', v1('Service', {}, { type: 'ClusterIP' }), 'None', 'ClusterIP'],
    ['a load balancer', v1('Service', {}, { type: 'LoadBalancer' }), 'InProgress', 'LoadBalancer'],
    [
      'endpoints',
      object('discovery.k8s.io/v1', 'EndpointSlice', {
        endpoints: [{ conditions: { ready: true } }, { conditions: { ready: false } }],
      }),
      'InProgress',
      '1/2 ready',
    ],
    [
      'an autoscaler without metrics',
      object('autoscaling/v2', 'HorizontalPodAutoscaler', {
        status: {
          currentReplicas: 1,
          ...condition('ScalingActive', 'False', 'FailedGetResourceMetric'),
        },
      }),
      'Failed',
      '1 replica',
    ],
    [
      'a CustomResourceDefinition',
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
        status: condition('Established', 'True'),
      }),
      'Current',
      'Established',
    ],
    [
      'an APIService',
      object('apiregistration.k8s.io/v1', 'APIService', {
        status: condition('Available', 'False', 'MissingEndpoints'),
      }),
      'Failed',
      'Not available',
    ],
    ['an object without a status', object('v1', 'ConfigMap', {}), 'None', ''],
  ])('%s', (_what, one, level, text) => {
    expect(read(one).slice(0, 2)).toEqual([level, text])
  })
})

describe('a custom resource', () => {
  const backup = (status: object, generation = 1) =>
    object('example.com/v1', 'Backup', { metadata: { generation }, status })

  it.each<[string, KubeObject, string, string, string]>([
    ['ready', backup(condition('Ready', 'True')), 'Current', 'Ready', ''],
    [
      'not ready',
      backup(condition('Ready', 'False', 'NoDisk')),
      'InProgress',
      'NotReady',
      'NoDisk',
    ],
    ['available', backup(condition('Available', 'True')), 'Current', 'Available', ''],
    ['stalled', backup(condition('Stalled', 'True', 'Denied')), 'Failed', 'Stalled', 'Denied'],
    [
      'not reconciled',
      backup({ observedGeneration: 1 }, 2),
      'InProgress',
      'Reconciling',
      'The controller has not seen the latest spec yet.',
    ],
    ['without conditions', backup({ phase: 'Stored' }), 'None', 'Stored', ''],
    ['with another meaning of status', backup({ conditions: 'none' }), 'None', '', ''],
  ])('that is %s', (_what, one, level, text, reason) => {
    expect(read(one)).toEqual([level, text, reason])
  })
})

it('of a deletion names the finalizers that it waits for', () => {
  const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/hold'] }
  expect(read(object('v1', 'ConfigMap', { metadata }))).toEqual([
    'Terminating',
    'Terminating',
    'Waits for finalizers: example.com/hold.',
  ])
})

it('is read of custom resources and of kinds with a status', () => {
  expect(hasHealth('example.com', 'Backup')).toBe(true)
  expect(hasHealth('', 'Pod')).toBe(true)
  expect(hasHealth('', 'ConfigMap')).toBe(false)
  expect(hasHealth('rbac.authorization.k8s.io', 'Role')).toBe(false)
})
