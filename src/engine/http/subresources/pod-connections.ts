/**
 * Opens connections to Pods, as kube-apiserver does up to the node. Only simulated nodes can be
 * reached.
 */

import { append } from '../../core/lists'
import { SIMULATED_RUNTIME, SIMULATION, UPGRADE_HEADER } from '../../core/names'
import { containersOf, type Pod } from '../../kinds/core/pod-types'
import { keyOf, targetOf } from '../../registry/request-context'
import { storageKey } from '../../registry/resource'
import { FormatError } from '../../schema/format-error'
import { unsignedProblem } from '../../schema/go-parse-number'
import { canonicalTime } from '../../schema/time'
import { forbiddenField, invalidValue, notSupported } from '../../validation/field-errors'
import { notNegative } from '../../validation/numbers'
import { type Exchange, READ_ONLY, registryContext } from '../exchange'
import type { ApiResponse, Tunnel } from '../messages'
import { integer } from '../options'
import type { Query } from '../query'
import { badRequest, type FieldError, failure, invalid, notFound, serverError } from '../status'
import { simulatedAttach } from './pod-attach'
import { simulatedExec } from './pod-exec'
import { simulatedLog } from './pod-log'
import { forwardingTo } from './port-forward'
import { proxiedName } from './proxies'
import { runOf, statusOf } from './simulated-containers'
import { forwarded } from './simulated-proxy'

export async function handleLog(exchange: Exchange): Promise<ApiResponse> {
  checkLogOptions(exchange)
  const pod = await readPod(exchange)
  const container = containerOf(pod, exchange.info.query)
  if (!pod.spec?.nodeName) return { status: 204, headers: {}, body: '' }
  if (!(await reachNode(exchange, pod.spec.nodeName))) throw unreachable()
  return simulatedLog(
    exchange.engine,
    pod,
    container,
    exchange.info.query,
    keyOf(registryContext(exchange, READ_ONLY)),
  )
}

function checkLogOptions({ engine, info: { query, name } }: Exchange): void {
  const tail = integer(query.get('tailLines'))
  const limit = integer(query.get('limitBytes'))
  const since = integer(query.get('sinceSeconds'))
  const sinceTime = time(query.get('sinceTime'))
  const errors: FieldError[] = notNegative('tailLines', tail)
  if (limit !== undefined && limit < 1)
    errors.push(invalidValue('limitBytes', limit, 'must be greater than 0'))
  if (since !== undefined && sinceTime !== undefined)
    errors.push(
      forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'),
    )
  else if (since !== undefined && since < 1)
    errors.push(invalidValue('sinceSeconds', since, 'must be greater than 0'))
  append(errors, streamErrors(query, engine.featureGates.PodLogsQuerySplitStreams))
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors)
}

const LOG_STREAMS = ['All', 'Stderr', 'Stdout']

/** KEP-3288. @param isEnabled undefined in releases without the gate, which ignore the parameter */
function streamErrors(query: Query, isEnabled: boolean | undefined): FieldError[] {
  const stream = query.get('stream')
  if (stream === undefined || isEnabled === undefined) return []
  if (!isEnabled) return [forbiddenField('stream', 'may not be specified')]
  const errors = LOG_STREAMS.includes(stream) ? [] : [notSupported('stream', stream, LOG_STREAMS)]
  if (stream !== 'All' && query.get('tailLines') !== undefined)
    errors.push(
      forbiddenField('[]', '`tailLines` and specific `stream` are mutually exclusive for now'),
    )
  return errors
}

function time(text: string | undefined): string | undefined {
  if (!text) return undefined
  try {
    return canonicalTime(text) ?? undefined
  } catch (error) {
    throw error instanceof FormatError ? badRequest(error.message) : error
  }
}

export async function handleStreams(exchange: Exchange): Promise<ApiResponse> {
  const pod = await readPod(exchange)
  const container = containerOf(pod, exchange.info.query)
  const isSimulated = await connect(exchange, pod)
  if (!isSimulated) throw unreachable()
  return {
    ...needsConnection('commands in containers need'),
    tunnel: await tunnelTo(exchange, pod, container),
  }
}

export async function handlePortForward(exchange: Exchange): Promise<ApiResponse> {
  checkPorts(exchange.info.query)
  const pod = await readPod(exchange)
  if (!(await connect(exchange, pod))) throw unreachable()
  return {
    ...needsConnection('a port of a pod needs'),
    forwarding: forwardingTo(exchange.engine, pod, portsIn(exchange.info.query).map(Number)),
  }
}

const PORT_BITS = 16

const portsIn = (query: Query): string[] => query.all('ports').flatMap((ports) => ports.split(','))

function checkPorts(query: Query): void {
  for (const port of portsIn(query)) {
    const problem = unsignedProblem(port, PORT_BITS)
    if (problem !== undefined) throw badRequest(`cannot convert to []int32: ${problem}`)
  }
}

/** @returns whether the node is simulated */
async function connect(exchange: Exchange, pod: Pod): Promise<boolean> {
  const node = pod.spec?.nodeName
  if (!node) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`)
  const isSimulated = await reachNode(exchange, node)
  const { request } = exchange
  if (!request.header('upgrade') && !request.header(UPGRADE_HEADER))
    throw badRequest('Upgrade request required')
  return isSimulated
}

async function tunnelTo(exchange: Exchange, pod: Pod, container: string): Promise<Tunnel> {
  const { engine, info } = exchange
  const isExec = info.subresource === 'exec'
  const run = runOf(statusOf(pod, container), false)
  if (run === undefined || run.ended !== undefined) {
    const { name, namespace } = pod.metadata
    const missing = isExec
      ? `container not found ("${container}")`
      : `container ${container} not found in pod ${name}_${namespace}`
    throw serverError(`unable to upgrade connection: ${missing}`)
  }
  if (isExec) return simulatedExec(engine, pod, container, info.query)
  return simulatedAttach(
    engine,
    pod,
    container,
    run,
    info.query,
    keyOf(registryContext(exchange, READ_ONLY)),
  )
}

/** Clients show a Status, but not plain text. */
function needsConnection(what: string): ApiResponse {
  const message = `this host cannot turn a request into a connection, and ${what} one: the console of the page can run commands`
  const { status } = failure(501, 'NotImplemented', message, {})
  return {
    status: 501,
    headers: { 'content-type': 'application/json' },
    body: `${JSON.stringify(status)}\n`,
  }
}

const unreachable = () =>
  failure(501, 'NotImplemented', 'no kubelet responds here: pods of this simulator run nowhere', {})

async function readPod(exchange: Exchange, name = exchange.info.name): Promise<Pod> {
  const context = { ...registryContext(exchange, READ_ONLY), name }
  const stored = await exchange.engine.storage.get(keyOf(context))
  if (stored === undefined) throw notFound(targetOf(context), name)
  return stored.object as Pod
}

/** @throws ApiError 400 if ambiguous or unknown */
function containerOf(pod: Pod, query: Query): string {
  const spec = pod.spec ?? {}
  const { name } = pod.metadata
  const names = containersOf(spec, '').map(({ container }) => container.name ?? '')
  const requested = query.get('container') ?? ''
  if (requested === '') {
    const only = spec.containers?.length === 1 ? spec.containers[0]?.name : undefined
    if (only !== undefined) return only
    throw badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`,
    )
  }
  if (!names.includes(requested))
    throw badRequest(`container ${requested} is not valid for pod ${name}`)
  return requested
}

interface Node {
  metadata: { annotations?: Record<string, string> }
  status?: {
    addresses?: { type?: string; address?: string }[]
    nodeInfo?: { containerRuntimeVersion?: string }
  }
}

/**
 * @returns whether the node is simulated
 * @throws ApiError 404, which calls the node a pod as in kube-apiserver
 * @throws ApiError 500 for a failed node, or one without address
 */
async function reachNode({ engine }: Exchange, name: string): Promise<boolean> {
  const nodes = engine.resources.find('', 'v1', 'nodes')
  const stored = nodes && (await engine.storage.get(storageKey(nodes, '', name)))
  if (!stored) throw notFound({ group: '', resource: 'pods' }, name)
  const { metadata, status } = stored.object as unknown as Node
  const [first] = status?.addresses ?? []
  if (first === undefined) throw serverError('no preferred addresses found; known addresses: []')
  const isSimulated = status?.nodeInfo?.containerRuntimeVersion === SIMULATED_RUNTIME
  if (isSimulated && metadata.annotations?.[SIMULATION.state] === 'failed')
    throw serverError(`dial tcp ${first.address}:10250: connect: no route to host`)
  return isSimulated
}

/** `[scheme:]name[:port]` */
export async function handleProxy(exchange: Exchange): Promise<ApiResponse> {
  const { name, port, usesTls } = proxiedName(exchange.info.name, 'pod')
  const pod = await readPod(exchange, name)
  const address = pod.status?.podIP ?? ''
  if (!isReachable(address)) throw badRequest('address not allowed')
  const first = (pod.spec?.containers ?? []).flatMap(({ ports }) => ports ?? [])[0]?.containerPort
  const number = Number(port || (first ?? 80))
  const target = `${address}:${port || (first ?? 80)}`
  if (pod.spec?.nodeName && (await reachNode(exchange, pod.spec.nodeName))) {
    const response = await forwarded(exchange, { ip: address, port: number, usesTls })
    if (response) return response
  }
  throw failure(
    503,
    'ServiceUnavailable',
    `error trying to reach service: dial tcp ${target}: connect: connection refused`,
  )
}

function isReachable(address: string): boolean {
  return (
    address !== '' && !/^(?:127\.|169\.254\.|0\.0\.0\.0$|::1$|fe80:|22[4-9]\.|23\d\.)/.test(address)
  )
}
