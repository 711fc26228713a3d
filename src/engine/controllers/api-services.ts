/**
 * Tells in the status of every APIService that other servers stand behind whether they can be asked (recorded:
 * kinds-apiext-apireg; the reasons that depend on ports and endpoints: public documentation of the release). This server reaches
 * no other server, so that none of them ever is.
 */
import { timestamp } from '../environment'
import type { KubeObject } from '../object'
import { type ApiService, AVAILABLE, availabilityOf, statusWith } from '../registry/apiregistration/api-service'
import { writeStatus } from '../registry/server-writes'
import { goQuote } from '../schema/go-text'
import { follow, type Loop } from './controller'
import { Settling } from './settling'

const API_SERVICES = '/registry/apiregistration.k8s.io/apiservices/'
const SERVICES = '/registry/services/specs/'
const ENDPOINTS = '/registry/services/endpoints/'

interface Service extends KubeObject {
  spec?: { type?: string; clusterIP?: string; ports?: { name?: string; port?: number }[] }
}

interface Endpoints extends KubeObject {
  subsets?: { addresses?: unknown[]; ports?: { name?: string }[] }[]
}

interface Finding {
  reason: string
  message: string
}

export const apiServices: Loop = (engine) => {
  const { storage, clock } = engine
  /** What stands behind whom: the service's namespace and name by the key of the APIService. */
  const behind = new Map<string, string>()
  const settling = new Settling(engine, async (key) => {
    const object = (await storage.get(key))?.object as ApiService | undefined
    const service = object?.spec?.service
    if (object === undefined || !service) return
    const path = pathOf(service)
    const found = findingOf(
      object,
      (await storage.get(SERVICES + path))?.object as Service | undefined,
      (await storage.get(ENDPOINTS + path))?.object as Endpoints | undefined,
    )
    const told = availabilityOf(object)
    if (told?.status === 'False' && told.reason === found.reason && told.message === found.message) return
    const condition = { type: AVAILABLE, status: 'False', ...found }
    await writeStatus(engine, object, statusWith(object.status, condition, timestamp(clock.now())))
  })
  const changed = ({ metadata }: KubeObject): void => {
    const path = `${metadata.namespace}/${metadata.name}`
    for (const [key, service] of behind) if (service === path) settling.lookAt(key)
  }
  const stops = [
    follow(engine, API_SERVICES, ({ type, current: { key, object } }) => {
      const { service, group, version } = (object as ApiService).spec ?? {}
      const served = `${group}/${version}`
      if (type === 'DELETED' || !service) {
        if (behind.delete(key)) engine.remoteVersions.delete(served)
        return
      }
      behind.set(key, pathOf(service))
      engine.remoteVersions.add(served)
      settling.lookAt(key)
    }),
    follow(engine, SERVICES, ({ current }) => changed(current.object)),
    follow(engine, ENDPOINTS, ({ current }) => changed(current.object)),
  ]
  return () => {
    for (const stop of [...stops, () => settling.stop()]) stop()
  }
}

const pathOf = ({ namespace = '', name = '' }: NonNullable<NonNullable<ApiService['spec']>['service']>): string => `${namespace}/${name}`

/** Why the servers behind it cannot be asked. */
function findingOf({ spec = {} }: ApiService, service: Service | undefined, endpoints: Endpoints | undefined): Finding {
  const { name = '', namespace = '', port = 443 } = spec.service ?? {}
  const what = `service/${name} in ${goQuote(namespace)}`
  if (service === undefined) return { reason: 'ServiceNotFound', message: `${what} is not present` }
  if (service.spec?.type === undefined || service.spec.type === 'ClusterIP') {
    const listening = service.spec?.ports?.find((candidate) => candidate.port === port)
    if (listening === undefined) return { reason: 'ServicePortError', message: `${what} is not listening on port ${port}` }
    if (endpoints === undefined) return { reason: 'EndpointsNotFound', message: `cannot find endpoints for ${what}` }
    const ready = (endpoints.subsets ?? []).some(
      ({ addresses, ports }) => addresses?.length && ports?.some((other) => (other.name ?? '') === (listening.name ?? '')),
    )
    if (!ready) {
      const message = `endpoints for ${what} have no addresses with port name ${goQuote(listening.name ?? '')}`
      return { reason: 'MissingEndpoints', message }
    }
  }
  const url = `https://${service.spec?.clusterIP ?? ''}:${port}/apis/${spec.group ?? ''}/${spec.version ?? ''}`
  return { reason: 'FailedDiscoveryCheck', message: `failing or missing response from ${url}: this simulator reaches no other server` }
}
