import { describe, expect } from 'vitest'
import type { JsonObject, KubeObject } from '../../../src/engine/core/object'
import { sampleOf } from '../samples'

import { causesOf, change, moving } from './change'

describe('workloads', () => {
  const at = (apiVersion: string, resource: string) =>
    `/apis/${apiVersion}/namespaces/default/${resource}`
  const bare = (kind: string) => {
    const { spec, ...members } = sampleOf(
      kind === 'StatefulSet' ? 'apps/v1beta1' : 'extensions/v1beta1',
      kind,
    ) as unknown as KubeObject & {
      spec: JsonObject
    }
    return {
      ...members,
      spec: {
        ...(kind === 'StatefulSet' ? { serviceName: 'web' } : {}),
        template: spec.template as JsonObject,
      },
    }
  }
  const RESOURCES: Record<string, string> = {
    DaemonSet: 'daemonsets',
    Deployment: 'deployments',
    ReplicaSet: 'replicasets',
    StatefulSet: 'statefulsets',
  }

  change('1.16 DaemonSet', 'template-generation', async () => {
    const { writeOld, readNew } = moving('1.15', '1.16')
    const made = await writeOld(at('extensions/v1beta1', 'daemonsets'), bare('DaemonSet'))
    expect(made.json.spec.templateGeneration).toBe(1)
    const { json } = await readNew(`${at('apps/v1', 'daemonsets')}/it`)
    expect(json.spec).not.toHaveProperty('templateGeneration')
    expect(json.metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': '1' })
  })
  change('1.16 Deployment', 'rollback-to', async () => {
    const { writeOld, readOld, readNew } = moving('1.15', '1.16')
    await writeOld(at('extensions/v1beta1', 'deployments'), bare('Deployment'))
    const rollback = {
      apiVersion: 'extensions/v1beta1',
      kind: 'DeploymentRollback',
      name: 'it',
      rollbackTo: { revision: 3 },
    }
    const response = await writeOld(
      `${at('extensions/v1beta1', 'deployments')}/it/rollback`,
      rollback,
    )
    expect(response.json).toMatchObject({
      status: 'Success',
      message: 'rollback request for deployment "it" succeeded',
    })
    expect((await readOld(`${at('apps/v1beta1', 'deployments')}/it`)).json.spec.rollbackTo).toEqual(
      { revision: 3 },
    )
    const { json } = await readNew(`${at('apps/v1', 'deployments')}/it`)
    expect(json.spec).not.toHaveProperty('rollbackTo')
    expect(json.metadata.annotations).toEqual({ 'deprecated.deployment.rollback.to': '3' })
  })
  for (const [kind, apiVersion] of [
    ['DaemonSet', 'extensions/v1beta1'],
    ['Deployment', 'extensions/v1beta1'],
    ['ReplicaSet', 'extensions/v1beta1'],
    ['StatefulSet', 'apps/v1beta1'],
  ] as const) {
    change(`1.16 ${kind}`, 'selector-required', async () => {
      const { writeOld, writeNew } = moving('1.15', '1.16')
      const path = at(apiVersion, RESOURCES[kind] as string)
      const made = await writeOld(path, bare(kind))
      expect(made.json.spec.selector).toEqual({ matchLabels: { app: 'web' } })
      expect(made.json.metadata.labels).toEqual({ app: 'web' })
      const young = await writeNew(at('apps/v1', RESOURCES[kind] as string), {
        ...bare(kind),
        apiVersion: 'apps/v1',
        metadata: { name: 'young' },
      })
      // The error about an empty selector of a DaemonSet is about its template.
      expect(causesOf(young)[0]).toBe(
        kind === 'DaemonSet' ? 'spec.template.metadata.labels' : 'spec.selector',
      )
      if (kind === 'StatefulSet') return
      const labels = { app: 'web', tier: 'front' }
      const template = { ...made.json.spec.template, metadata: { labels } }
      const wider = {
        ...made.json,
        spec: { ...made.json.spec, template, selector: { matchLabels: labels } },
      }
      expect((await writeOld(`${path}/it`, wider, 'PUT')).status).toBe(200)
      const back = {
        ...wider,
        apiVersion: 'apps/v1',
        metadata: { name: 'it' },
        spec: { ...wider.spec, selector: made.json.spec.selector },
      }
      expect(
        causesOf(await writeNew(`${at('apps/v1', RESOURCES[kind] as string)}/it`, back, 'PUT')),
      ).toContain('spec.selector')
    })
  }
  for (const [kind, apiVersion] of [
    ['DaemonSet', 'extensions/v1beta1'],
    ['StatefulSet', 'apps/v1beta1'],
  ] as const) {
    change(`1.16 ${kind}`, 'update-strategy', async () => {
      const { writeOld } = moving('1.15', '1.16')
      const path = (version: string) => at(version, RESOURCES[kind] as string)
      expect((await writeOld(path(apiVersion), bare(kind))).json.spec.updateStrategy.type).toBe(
        'OnDelete',
      )
      const full = { ...bare(kind), metadata: { name: 'young' } }
      const selected = {
        ...full,
        apiVersion: 'apps/v1',
        spec: { ...full.spec, selector: { matchLabels: { app: 'web' } } },
      }
      expect((await writeOld(path('apps/v1'), selected)).json.spec.updateStrategy.type).toBe(
        'RollingUpdate',
      )
    })
  }
  for (const [name, read, was, is] of [
    [
      'progress-deadline',
      (spec: JsonObject) => spec.progressDeadlineSeconds,
      [2147483647, 600, 600],
      600,
    ],
    ['revision-history', (spec: JsonObject) => spec.revisionHistoryLimit, [2147483647, 2, 10], 10],
    [
      'rolling-update',
      (spec: JsonObject) => (spec.strategy as { rollingUpdate: JsonObject }).rollingUpdate,
      [
        { maxSurge: 1, maxUnavailable: 1 },
        { maxSurge: '25%', maxUnavailable: '25%' },
        { maxSurge: '25%', maxUnavailable: '25%' },
      ],
      { maxSurge: '25%', maxUnavailable: '25%' },
    ],
  ] as const) {
    change('1.16 Deployment', name, async () => {
      const { writeOld } = moving('1.15', '1.16')
      const selector = { matchLabels: { app: 'web' } }
      for (const [i, apiVersion] of [
        'extensions/v1beta1',
        'apps/v1beta1',
        'apps/v1beta2',
        'apps/v1',
      ].entries()) {
        const body = { ...bare('Deployment'), apiVersion, metadata: { name: `d${i}` } }
        const made = await writeOld(at(apiVersion, 'deployments'), {
          ...body,
          spec: { ...body.spec, selector },
        })
        expect(read(made.json.spec)).toEqual(was[i] ?? is)
      }
    })
  }
})
