/** What a change of the release does to stored objects. */

import { describe, expect, it } from 'vitest'
import { lostMembers, storedFindings } from '../../../src/app/features/releases/stored-findings'
import type { KubeObject } from '../../../src/engine/core/object'
import type { Release } from '../../../src/engine/releases'
import { kubeObject } from '../../support/json-objects'

const stored = (object: object): KubeObject => {
  const { metadata, ...rest } = object as KubeObject
  return kubeObject({
    ...rest,
    metadata: {
      uid: metadata.name,
      resourceVersion: '5',
      creationTimestamp: '2026-01-01T00:00:00Z',
      managedFields: [{ manager: 'kubectl', operation: 'Apply' }],
      ...metadata,
    },
  })
}

const pod = (spec: object): KubeObject =>
  stored({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'nginx' }], ...spec },
  })

const found = async (object: KubeObject, from: Release, to: Release) =>
  (await storedFindings({ objects: [object], from, to })).map(({ effect, members }) => ({
    effect,
    members,
  }))

describe('stored objects', () => {
  it('stay as they are if both releases know all their members', async () => {
    expect(await found(pod({}), '1.35', '1.34')).toEqual([])
    expect(await found(pod({}), '1.31', '1.37')).toEqual([])
  })

  it('lose members that the release does not know', async () => {
    expect(await found(pod({ hostnameOverride: 'other' }), '1.35', '1.31')).toEqual([
      { effect: 'unknown', members: ['spec.hostnameOverride'] },
    ])
  })

  it('keep members behind a gate that is off, which new objects lose', async () => {
    expect(await found(pod({ hostUsers: false }), '1.35', '1.31')).toEqual([
      { effect: 'gated', members: ['spec.hostUsers'] },
    ])
  })

  it('stay stored if their kind is not served', async () => {
    const deviceClass = stored({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'gpu' },
      spec: {},
    })
    expect(await found(deviceClass, '1.37', '1.31')).toEqual([{ effect: 'unserved', members: [] }])
  })

  it('of custom kinds do not depend on the release', async () => {
    const definition = stored({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    })
    const widget = stored({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'a', namespace: 'default' },
      spec: { hostnameOverride: 'other' },
    })
    expect(
      await storedFindings({ objects: [definition, widget], from: '1.35', to: '1.31' }),
    ).toEqual([])
  })
})

describe('lost members', () => {
  it('are named once, by the highest one that is lost', () => {
    expect(lostMembers({ a: { b: { c: 1 } }, l: [{ x: 1, y: 2 }] }, { l: [{ x: 1 }] })).toEqual([
      'a',
      'l[0].y',
    ])
  })

  it('leave out null', () => {
    expect(lostMembers({ creationTimestamp: null }, {})).toEqual([])
  })
})
