import { describe, expect } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'
import { REQUEST } from '../samples'

import { causesOf, change, moving } from './change'

describe('certificate signing requests', () => {
  const path = (version: string) =>
    `/apis/certificates.k8s.io/${version}/certificatesigningrequests`
  const row = '1.22 CertificateSigningRequest'
  const request = (apiVersion: string, spec: JsonObject) => ({
    apiVersion,
    kind: 'CertificateSigningRequest',
    metadata: { name: 'it' },
    spec: { request: REQUEST, ...spec },
  })
  const OLD = 'certificates.k8s.io/v1beta1'
  const NEW = 'certificates.k8s.io/v1'
  const LEGACY = 'kubernetes.io/legacy-unknown'
  change(row, 'signer-required', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    expect((await writeOld(path('v1beta1'), request(OLD, {}))).json.spec.signerName).toBe(LEGACY)
    expect(causesOf(await writeNew(path('v1'), request(NEW, { usages: ['client auth'] })))).toEqual(
      ['spec.signerName'],
    )
    const legacy = await writeNew(
      path('v1'),
      request(NEW, { usages: ['client auth'], signerName: LEGACY }),
    )
    expect(legacy.json.message).toContain(
      'the legacy signerName is not allowed via this API version',
    )
  })
  change(row, 'usages-required', async () => {
    const { writeOld, writeNew } = moving('1.21', '1.22')
    const made = await writeOld(path('v1beta1'), request(OLD, {}))
    expect(made.json.spec.usages).toEqual(['digital signature', 'key encipherment'])
    const odd = {
      usages: ['client auth', 'client auth', 'singing'],
      signerName: 'example.com/signer',
    }
    const other = { ...request(OLD, odd), metadata: { name: 'other' } }
    expect((await writeOld(path('v1beta1'), other)).status).toBe(201)
    expect(causesOf(await writeNew(path('v1'), request(NEW, odd)))).toEqual([
      'spec.usages[2]',
      'spec.usages[1]',
    ])
  })
  change(row, 'conditions', async () => {
    const { writeOld } = moving('1.21', '1.22')
    await writeOld(path('v1beta1'), request(OLD, {}))
    const status = { conditions: [{ type: 'Extra' }, { type: 'Extra' }] }
    const { status: code, json } = await writeOld(
      `${path('v1beta1')}/it/status`,
      { ...request(OLD, {}), status },
      'PUT',
    )
    expect([code, json.status?.conditions?.[0]?.status]).toEqual([200, 'True'])
    const rejected = await writeOld(`${path('v1')}/it/status`, { ...json, apiVersion: NEW }, 'PUT')
    expect(causesOf(rejected)).toContain('status.conditions[1].type')
  })
  change(row, 'certificate', async () => {
    const { writeOld } = moving('1.21', '1.22')
    await writeOld(path('v1beta1'), request(OLD, {}))
    const odd = { certificate: btoa('no certificate') }
    expect(
      (await writeOld(`${path('v1')}/it/status`, { ...request(NEW, {}), status: odd }, 'PUT'))
        .status,
    ).toBe(422)
    expect(
      (await writeOld(`${path('v1beta1')}/it/status`, { ...request(OLD, {}), status: odd }, 'PUT'))
        .status,
    ).toBe(200)
  })
})
