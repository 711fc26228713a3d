/** v1 has structures for services. See kubernetes.io, "Deprecated API Migration Guide". */
import {
  apiVersionOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../../core/object'
import type { Conversion } from '../conversion-type'
import { objectAt, renamed, withEach, withObject } from './members'

const HUB = { group: 'networking.k8s.io', version: 'v1' }

type Backends = (backend: JsonObject) => JsonObject

const eachPath = (spec: JsonObject, change: Backends): JsonObject =>
  withEach(spec, 'rules', (rule) =>
    withObject(rule, 'http', (http) =>
      withEach(http, 'paths', (path) => withObject(path, 'backend', change)),
    ),
  )

function backendToHub({ serviceName, servicePort, ...others }: JsonObject): JsonObject {
  if (!serviceName && !servicePort) return others
  return { service: { name: serviceName ?? '', port: portToHub(servicePort) }, ...others }
}

/** `80` as a string is a name. */
function portToHub(port: Json | undefined): JsonObject {
  if (typeof port === 'number') return port === 0 ? {} : { number: port }
  return typeof port === 'string' && port !== '' ? { name: port } : {}
}

function backendFromHub({ service, ...others }: JsonObject): JsonObject {
  if (!isJsonObject(service)) return others
  const port = objectAt(service, 'port') ?? {}
  return { serviceName: service.name ?? '', servicePort: port.name || port.number || 0, ...others }
}

export function ingressOf(group: string): Conversion {
  return {
    hub: HUB,
    toHub: (object: KubeObject) => ({
      ...withObject(object, 'spec', (spec) =>
        eachPath(
          withObject(renamed(spec, 'backend', 'defaultBackend'), 'defaultBackend', backendToHub),
          backendToHub,
        ),
      ),
      apiVersion: apiVersionOf(HUB.group, HUB.version),
    }),
    fromHub: (object: KubeObject) => ({
      ...withObject(object, 'spec', (spec) =>
        eachPath(
          renamed(withObject(spec, 'defaultBackend', backendFromHub), 'defaultBackend', 'backend'),
          backendFromHub,
        ),
      ),
      apiVersion: apiVersionOf(group, 'v1beta1'),
    }),
  }
}
