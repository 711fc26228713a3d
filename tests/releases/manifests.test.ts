import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { ConversionError, convertManifest } from '../../src/engine/releases'

const manifest = (apiVersion: string, kind: string, members: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'it' }, ...members }) as KubeObject

describe('a manifest in another version', () => {
  it('converts the services of an Ingress to v1, with the default path type of v1beta1', () => {
    const backend = { serviceName: 'shop', servicePort: 'http' }
    const ingress = manifest('extensions/v1beta1', 'Ingress', {
      spec: {
        backend: { serviceName: 'home', servicePort: 80 },
        rules: [{ http: { paths: [{ path: '/', backend }] } }],
      },
    })
    const { object, changes, undecided } = convertManifest(ingress, 'networking.k8s.io/v1')
    expect(object.spec).toEqual({
      defaultBackend: { service: { name: 'home', port: { number: 80 } } },
      rules: [
        {
          http: {
            paths: [
              {
                path: '/',
                backend: { service: { name: 'shop', port: { name: 'http' } } },
                pathType: 'ImplementationSpecific',
              },
            ],
          },
        },
      ],
    })
    expect(undecided).toEqual([])
    expect(changes.map(({ path, reason, row }) => [path, reason?.name, row?.name])).toEqual([
      ['apiVersion', undefined, '1.22 Ingress'],
      ['spec.backend', 'default-backend', '1.22 Ingress'],
      ['spec.rules[0].http.paths[0].backend.serviceName', 'service-backend', '1.22 Ingress'],
      ['spec.rules[0].http.paths[0].backend.servicePort', 'service-backend', '1.22 Ingress'],
      ['spec.rules[0].http.paths[0].backend.service', 'service-backend', '1.22 Ingress'],
      ['spec.rules[0].http.paths[0].pathType', 'path-type', '1.22 Ingress'],
      ['spec.defaultBackend', 'default-backend', '1.22 Ingress'],
    ])
  })

  it('writes the defaults of the old version, and omits those of the new one', () => {
    const old = manifest('admissionregistration.k8s.io/v1beta1', 'ValidatingWebhookConfiguration', {
      webhooks: [{ name: 'a.b.c' }],
    })
    const { object, undecided } = convertManifest(old, 'admissionregistration.k8s.io/v1')
    expect(object.webhooks).toEqual([
      {
        name: 'a.b.c',
        failurePolicy: 'Ignore',
        matchPolicy: 'Exact',
        timeoutSeconds: 30,
        sideEffects: 'Unknown',
        admissionReviewVersions: ['v1beta1'],
      },
    ])
    expect(undecided).toEqual([
      'webhooks[0].sideEffects is "Unknown", and must be None or NoneOnDryRun',
    ])
    const young = manifest('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', {
      webhooks: [{ name: 'a.b.c' }],
    })
    expect(convertManifest(young, 'admissionregistration.k8s.io/v1beta1').object.webhooks).toEqual([
      { name: 'a.b.c', failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 },
    ])
  })

  it('keeps what an old definition kept of all objects by its schemas', () => {
    const old = manifest('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', {
      spec: { group: 'a.io', version: 'v1', names: { plural: 'as', kind: 'A' } },
    })
    const { object, undecided } = convertManifest(old, 'apiextensions.k8s.io/v1')
    expect(object.spec).toEqual({
      group: 'a.io',
      names: { plural: 'as', kind: 'A' },
      scope: 'Namespaced',
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
    })
    expect(undecided).toEqual([])
  })

  it('is as it was where only the name differs, and is not changed itself', () => {
    const old = Object.freeze(
      manifest('batch/v1beta1', 'CronJob', { spec: Object.freeze({ schedule: '* * * * *' }) }),
    )
    const { object, changes } = convertManifest(old, 'batch/v1')
    expect(object).toEqual({ ...old, apiVersion: 'batch/v1' })
    expect(changes.map(({ path }) => path)).toEqual(['apiVersion'])
  })

  it('has no conversion to another kind of group, or to an unknown version', () => {
    expect(() => convertManifest(manifest('batch/v1beta1', 'CronJob', {}), 'apps/v1')).toThrow(
      ConversionError,
    )
    expect(() => convertManifest(manifest('batch/v1beta1', 'CronJob', {}), 'batch/v7')).toThrow(
      ConversionError,
    )
  })
})
