import { CONFIGURATION_TITLES } from './texts'

export type ConfigurationKind = 'mutating' | 'validating' | 'conversion' | 'api'

export const CONFIGURATIONS: readonly { kind: ConfigurationKind; title: string }[] = [
  { kind: 'mutating', title: CONFIGURATION_TITLES.mutating },
  { kind: 'validating', title: CONFIGURATION_TITLES.validating },
  { kind: 'conversion', title: CONFIGURATION_TITLES.conversion },
  { kind: 'api', title: CONFIGURATION_TITLES.api },
]

export function kindOfSource(source: string): ConfigurationKind {
  if (/\bfunction\*?\s+convert\b|\bconvert\s*=/.test(source)) return 'conversion'
  if (/\bfunction\*?\s+serve\b|\bserve\s*=/.test(source)) return 'api'
  return /\bop:\s*['"]|JSONPatch/.test(source) ? 'mutating' : 'validating'
}

interface Named {
  name: string
  address: string
}

export function configurationOf(kind: ConfigurationKind, handler: Named): string {
  switch (kind) {
    case 'mutating':
      return admission('Mutating', handler)
    case 'validating':
      return admission('Validating', handler)
    case 'conversion':
      return conversion(handler)
    case 'api':
      return apiService(handler)
  }
}

/** The service of `namespace/name`; undefined for a URL. */
function serviceOf({ address }: Named): { namespace: string; name: string } | undefined {
  const [namespace, name] = address.split('/')
  return address.startsWith('https://') || !namespace || !name ? undefined : { namespace, name }
}

function client(handler: Named, indent: string): string {
  const service = serviceOf(handler)
  if (service === undefined) return `${indent}url: ${handler.address}`
  return `${indent}service:\n${indent}  namespace: ${service.namespace}\n${indent}  name: ${service.name}`
}

/** An ExternalName service, which needs no pods. */
function serviceManifest(handler: Named): string {
  const service = serviceOf(handler)
  if (service === undefined) return ''
  return `apiVersion: v1
kind: Service
metadata:
  name: ${service.name}
  namespace: ${service.namespace}
spec:
  type: ExternalName
  externalName: ${service.name}.example.com
---
`
}

const admission = (
  type: 'Mutating' | 'Validating',
  handler: Named,
): string => `${serviceManifest(handler)}apiVersion: admissionregistration.k8s.io/v1
kind: ${type}WebhookConfiguration
metadata:
  name: ${handler.name}
webhooks:
  - name: ${handler.name}.example.com
    clientConfig:
${client(handler, '      ')}
    rules:
      - apiGroups: [""]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [configmaps]
    # Without this line the webhook would also be called for writes of the server itself.
    namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}]}
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
    timeoutSeconds: 5
`

const conversion = (
  handler: Named,
): string => `${serviceManifest(handler)}apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shirts.stable.example.com
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: shirts, kind: Shirt}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {size: {type: string}, color: {type: string}}}
    - name: v2
      served: true
      storage: false
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {chest: {type: integer}, length: {type: integer}, color: {type: string}}}
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
${client(handler, '        ')}
      conversionReviewVersions: [v1]
`

function apiService(handler: Named): string {
  const { namespace, name } = serviceOf(handler) ?? { namespace: 'default', name: handler.name }
  return `${serviceManifest({ ...handler, address: `${namespace}/${name}` })}apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1.quotes.example.com
spec:
  group: quotes.example.com
  version: v1
  service: {namespace: ${namespace}, name: ${name}}
  groupPriorityMinimum: 1000
  versionPriority: 10
  insecureSkipTLSVerify: true
`
}
