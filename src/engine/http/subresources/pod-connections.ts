/**
 * Endpoints of pods that lead to their nodes: log, exec, attach, portforward, proxy. They answer as the real server does until it
 * would have to reach a node; behind that there is nobody here (recorded).
 */
import { containersOf, type Pod } from '../../registry/core/pod-types'
import { forbiddenField, invalidValue } from '../../registry/field-errors'
import { keyOf, targetOf } from '../../registry/request-context'
import { storageKey } from '../../registry/resource'
import { notNegative } from '../../registry/rules/numbers'
import { FormatError } from '../../schema/format-error'
import { canonicalTime } from '../../schema/time'
import type { ApiResponse } from '../messages'
import { integer } from '../options'
import type { Query } from '../query'
import { type Exchange, READ_ONLY, registryContext } from '../resource-handler'
import { badRequest, type FieldError, failure, invalid, notFound, serverError } from '../status'
import { proxiedName } from './proxies'

export async function handleLog(exchange: Exchange): Promise<ApiResponse> {
  checkLogOptions(exchange.info.query, exchange.info.name)
  const pod = await readPod(exchange)
  containerOf(pod, exchange.info.query)
  // A pod on no node has said nothing yet.
  if (!pod.spec?.nodeName) return { status: 204, headers: {}, body: '' }
  await reachNode(exchange, pod.spec.nodeName)
  throw nobodyThere()
}

function checkLogOptions(query: Query, name: string): void {
  const tail = integer(query.get('tailLines'))
  const limit = integer(query.get('limitBytes'))
  const since = integer(query.get('sinceSeconds'))
  const sinceTime = time(query.get('sinceTime'))
  const errors: FieldError[] = notNegative('tailLines', tail)
  if (limit !== undefined && limit < 1) errors.push(invalidValue('limitBytes', limit, 'must be greater than 0'))
  if (since !== undefined && sinceTime !== undefined)
    errors.push(forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  else if (since !== undefined && since < 1) errors.push(invalidValue('sinceSeconds', since, 'must be greater than 0'))
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors)
}

/** @throws ApiError 400 */
function time(text: string | undefined): string | undefined {
  if (!text) return undefined
  try {
    return canonicalTime(text) ?? undefined
  } catch (error) {
    throw error instanceof FormatError ? badRequest(error.message) : error
  }
}

/** exec and attach */
export async function handleStreams(exchange: Exchange): Promise<ApiResponse> {
  const pod = await readPod(exchange)
  containerOf(pod, exchange.info.query)
  return connect(exchange, pod)
}

export async function handlePortForward(exchange: Exchange): Promise<ApiResponse> {
  return connect(exchange, await readPod(exchange))
}

async function connect(exchange: Exchange, pod: Pod): Promise<ApiResponse> {
  const node = pod.spec?.nodeName
  if (!node) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`)
  await reachNode(exchange, node)
  if (!exchange.request.header('upgrade')) throw badRequest('Upgrade request required')
  throw nobodyThere()
}

const nobodyThere = () => failure(501, 'NotImplemented', 'no kubelet answers here: pods of this simulator run nowhere', {})

async function readPod(exchange: Exchange, name = exchange.info.name): Promise<Pod> {
  const context = { ...registryContext(exchange, READ_ONLY), name }
  const stored = await exchange.engine.storage.get(keyOf(context))
  if (stored === undefined) throw notFound(targetOf(context), name)
  return stored.object as Pod
}

/** @throws ApiError 400 if the request leaves open which container it means */
function containerOf(pod: Pod, query: Query): string {
  const spec = pod.spec ?? {}
  const { name } = pod.metadata
  const names = containersOf(spec, '').map(({ container }) => container.name ?? '')
  const asked = query.get('container') ?? ''
  if (asked === '') {
    const only = spec.containers?.length === 1 ? spec.containers[0]?.name : undefined
    if (only !== undefined) return only
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`)
  }
  if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`)
  return asked
}

interface Node {
  status?: { addresses?: { type?: string; address?: string }[] }
}

/** @throws ApiError 404 in the real server's words, which call the node a pod; 500 for a node without an address */
async function reachNode({ engine }: Exchange, name: string): Promise<void> {
  const nodes = engine.resources.find('', 'v1', 'nodes')
  const stored = nodes && (await engine.storage.get(storageKey(nodes, '', name)))
  if (!stored) throw notFound({ group: '', resource: 'pods' }, name)
  const addresses = (stored.object as unknown as Node).status?.addresses ?? []
  if (addresses.length === 0) throw serverError('no preferred addresses found; known addresses: []')
}

/** `[scheme:]name[:port]` */
export async function handleProxy(exchange: Exchange): Promise<ApiResponse> {
  const { name, port } = proxiedName(exchange.info.name, 'pod')
  const pod = await readPod(exchange, name)
  const address = pod.status?.podIP ?? ''
  if (!isReachable(address)) throw badRequest('address not allowed')
  const first = (pod.spec?.containers ?? []).flatMap(({ ports }) => ports ?? [])[0]?.containerPort
  const target = `${address}:${port || (first ?? 80)}`
  throw failure(503, 'ServiceUnavailable', `error trying to reach service: dial tcp ${target}: connect: connection refused`)
}

/** Neither unset nor an address of the host itself or of its link. */
function isReachable(address: string): boolean {
  return address !== '' && !/^(?:127\.|169\.254\.|0\.0\.0\.0$|::1$|fe80:|22[4-9]\.|23\d\.)/.test(address)
}
