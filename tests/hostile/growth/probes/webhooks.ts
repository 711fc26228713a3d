/** Responses of webhooks that grow: patches, warnings, audit annotations and conversion reviews. */
import type { Outbound } from '../../../../src/engine/core/outbound'
import { definition, widget } from './definitions'
import { type Probe, target, times } from './probe'

interface Review {
  apiVersion: string
  kind: string
  request: { uid: string; desiredAPIVersion: string; objects: { metadata: object }[] }
}

const responding = (respond: (request: Review['request']) => object): Outbound => ({
  async post({ body }) {
    const { apiVersion, kind, request } = JSON.parse(body) as Review
    const response = { uid: request.uid, ...respond(request) }
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ apiVersion, kind, response }),
    }
  },
})

function admission(name: string, respond: (size: number) => object, hooks = 1): Probe {
  return {
    name: `webhook: ${name}`,
    async prepare(size, fail) {
      const { send, pass } = target(fail, { outbound: responding(() => respond(size)) })
      await send({
        method: 'POST',
        path: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
        body: {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'MutatingWebhookConfiguration',
          metadata: { name: 'h' },
          webhooks: times(hooks, (index) => ({
            name: `h${index}.example.com`,
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            reinvocationPolicy: 'IfNeeded',
            clientConfig: { url: 'https://hooks.example.com/' },
            rules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['*'],
                resources: ['configmaps'],
              },
            ],
          })),
        },
      })
      await pass(5)
      return () =>
        send({
          method: 'POST',
          path: '/api/v1/namespaces/default/configmaps',
          body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } },
        })
    },
  }
}

const patch = (operations: object[]) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: btoa(JSON.stringify(operations)),
})

function conversion(
  name: string,
  respond: (request: Review['request'], size: number) => object,
): Probe {
  return {
    name: `conversion: ${name}`,
    // The webhook takes the square of the size itself.
    sizes: [32, 128, 512],
    async prepare(size, fail) {
      const { send, pass } = target(fail, {
        outbound: responding((request) => respond(request, size)),
      })
      const schema = {
        openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      }
      const version = (of: string) => ({ name: of, served: true, storage: of === 'v1', schema })
      const webhook = {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: 'https://hooks.example.com/' },
      }
      await send({
        method: 'POST',
        path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        body: definition([version('v1'), version('v2')], {
          conversion: { strategy: 'Webhook', webhook },
        }),
      })
      await pass(5)
      for (let i = 0; i < size / 4; i++)
        await send({
          method: 'POST',
          path: '/apis/example.com/v1/namespaces/default/widgets',
          body: { ...widget({ a: i }), metadata: { name: `w${i}` } },
        })
      return () => send({ path: '/apis/example.com/v2/namespaces/default/widgets' })
    },
  }
}

export const WEBHOOK_PROBES: readonly Probe[] = [
  admission('operations of a patch', (size) =>
    patch(times(size, (i) => ({ op: 'add', path: `/data/k${i}`, value: 'v' }))),
  ),
  admission('warnings', (size) => ({ allowed: true, warnings: times(size, (i) => `w${i}`) })),
  admission('long warning', (size) => ({ allowed: true, warnings: ['é'.repeat(size)] })),
  admission('audit annotations', (size) => ({
    allowed: true,
    auditAnnotations: Object.fromEntries(times(size, (i) => [`k${i}`, 'v'])),
  })),
  admission('message of a denial', (size) => ({
    allowed: false,
    status: { message: 'm'.repeat(size) },
  })),
  admission('causes of a denial', (size) => ({
    allowed: false,
    status: {
      code: 422,
      details: { causes: times(size, (i) => ({ field: `f${i}`, message: 'm' })) },
    },
  })),
  conversion('objects', ({ objects, desiredAPIVersion }) => ({
    result: { status: 'Success' },
    convertedObjects: objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion })),
  })),
  conversion('too many converted objects', ({ objects }, size) => ({
    result: { status: 'Success' },
    convertedObjects: times(size * 2, () => objects[0]),
  })),
  conversion('long reason of a failure', (_request, size) => ({
    result: { status: 'Failure', message: 'm'.repeat(size) },
    convertedObjects: [],
  })),
]
