import { describe, expect } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'

import { causesOf, change, moving } from './change'

describe('webhooks', () => {
  const path = (version: string) =>
    `/apis/admissionregistration.k8s.io/${version}/validatingwebhookconfigurations`
  const row = '1.22 MutatingWebhookConfiguration, ValidatingWebhookConfiguration'
  const hooks = (apiVersion: string, ...webhooks: JsonObject[]) => ({
    apiVersion,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'it' },
    webhooks: webhooks.map((members) => ({
      name: 'a.example.com',
      clientConfig: { url: 'https://a.example.com/x' },
      ...members,
    })),
  })
  const OLD = 'admissionregistration.k8s.io/v1beta1'
  const NEW = 'admissionregistration.k8s.io/v1'
  const NEEDED = { sideEffects: 'None', admissionReviewVersions: ['v1'] }
  for (const [name, member, was, is] of [
    ['failure-policy', 'failurePolicy', 'Ignore', 'Fail'],
    ['match-policy', 'matchPolicy', 'Exact', 'Equivalent'],
    ['timeout', 'timeoutSeconds', 30, 10],
  ] as const) {
    change(row, name, async () => {
      const { writeOld, readNew, writeNew } = moving('1.21', '1.22')
      expect((await writeOld(path('v1beta1'), hooks(OLD, {}))).json.webhooks[0][member]).toBe(was)
      expect((await readNew(`${path('v1')}/it`)).json.webhooks[0][member]).toBe(was)
      const young = { ...hooks(NEW, NEEDED), metadata: { name: 'other' } }
      expect((await writeNew(path('v1'), young)).json.webhooks[0][member]).toBe(is)
    })
  }
  change(row, 'side-effects', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect((await writeOld(path('v1beta1'), hooks(OLD, {}))).json.webhooks[0].sideEffects).toBe(
      'Unknown',
    )
    expect(
      causesOf(await writeNew(path('v1'), hooks(NEW, { admissionReviewVersions: ['v1'] }))),
    ).toEqual(['webhooks[0].sideEffects'])
    const some = hooks(NEW, { ...NEEDED, sideEffects: 'Some' })
    expect((await writeNew(path('v1'), some)).json.message).toContain(
      'supported values: "None", "NoneOnDryRun"',
    )
  })
  change(row, 'review-versions', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect(
      (await writeOld(path('v1beta1'), hooks(OLD, {}))).json.webhooks[0].admissionReviewVersions,
    ).toEqual(['v1beta1'])
    expect(causesOf(await writeNew(path('v1'), hooks(NEW, { sideEffects: 'None' })))).toEqual([
      'webhooks[0].admissionReviewVersions',
    ])
  })
  change(row, 'unique-names', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect((await writeOld(path('v1beta1'), hooks(OLD, {}, {}))).status).toBe(201)
    expect(causesOf(await writeNew(path('v1'), hooks(NEW, NEEDED, NEEDED)))).toEqual([
      'webhooks[1].name',
    ])
  })
})
