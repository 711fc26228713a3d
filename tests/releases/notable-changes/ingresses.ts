import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'

import { causesOf, change, moving } from './change'

describe('ingresses', () => {
  const row = '1.22 Ingress'
  const paths = (backend: JsonObject, more: JsonObject = {}) => ({
    rules: [{ http: { paths: [{ path: '/', backend, ...more }] } }],
  })
  const ingress = (apiVersion: string, spec: JsonObject) => ({
    apiVersion,
    kind: 'Ingress',
    metadata: { name: 'it' },
    spec,
  })
  const at = (apiVersion: string) => `/apis/${apiVersion}/namespaces/default/ingresses`
  const NEW = 'networking.k8s.io/v1'
  for (const old of ['extensions/v1beta1', 'networking.k8s.io/v1beta1']) {
    change(row, 'default-backend', async () => {
      const { writeOld, readNew } = moving('1.21', '1.22')
      await writeOld(at(old), ingress(old, { backend: { serviceName: 'home', servicePort: 80 } }))
      const { json } = await readNew(`${at(NEW)}/it`)
      expect(json.spec).toEqual({
        defaultBackend: { service: { name: 'home', port: { number: 80 } } },
      })
    })
    change(row, 'service-backend', async () => {
      const { writeOld, readNew } = moving('1.21', '1.22')
      await writeOld(at(old), ingress(old, paths({ serviceName: 'shop', servicePort: 'http' })))
      const { json } = await readNew(`${at(NEW)}/it`)
      expect(json.spec.rules[0].http.paths[0].backend).toEqual({
        service: { name: 'shop', port: { name: 'http' } },
      })
    })
    change(row, 'path-type', async () => {
      const { writeOld, writeNew } = moving('1.21', '1.22')
      const made = await writeOld(
        at(old),
        ingress(old, paths({ serviceName: 'shop', servicePort: 80 })),
      )
      expect(made.json.spec.rules[0].http.paths[0].pathType).toBe('ImplementationSpecific')
      const young = ingress(NEW, paths({ service: { name: 'shop', port: { number: 80 } } }))
      expect(causesOf(await writeNew(at(NEW), young))).toEqual([
        'spec.rules[0].http.paths[0].pathType',
      ])
    })
  }
  it('errors speak of the members that the version has', async () => {
    const { writeOld } = moving('1.21', '1.22')
    const response = await writeOld(
      at('extensions/v1beta1'),
      ingress('extensions/v1beta1', paths({ serviceName: 'No Name', servicePort: 80 })),
    )
    expect(causesOf(response)).toEqual(['spec.rules[0].http.paths[0].backend.serviceName'])
  })
})
