/** One call of one webhook: where it goes, how long it may take, what comes back (texts recorded: policy-webhooks, policy-webhookcfg). */
import type { AdmissionAttributes } from '../../admission/admission'
import { readObject } from '../../admission/environment'
import { randomUuid } from '../../environment'
import type { KubeObject } from '../../object'
import { OutboundError, type OutboundResponse } from '../../outbound'
import { bytesOfBase64 } from '../../schema/base64'
import { goQuote } from '../../schema/go-text'
import type { PolicyEnvironment, ServedForm } from '../environment'
import type { ClientConfig, ServiceReference, Webhook } from '../objects'
import { CallFailure, readAnswer, type Verdict } from './answer'
import { reviewOf } from './review'

const SUPPORTED_VERSIONS = ['v1', 'v1beta1']
const DEFAULT_TIMEOUT_SECONDS = 10
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': 'kube-apiserver-admission' }

/** @throws CallFailure */
export async function callWebhook(
  environment: PolicyEnvironment,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  form: ServedForm,
  requested: ServedForm,
  mutating: boolean,
): Promise<Verdict> {
  const version = (webhook.admissionReviewVersions ?? []).find((offered) => SUPPORTED_VERSIONS.includes(offered))
  if (version === undefined)
    throw new CallFailure('could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)')
  const uid = randomUuid(environment.random)
  const review = JSON.stringify(reviewOf(uid, version, attributes, form, requested))
  const response = await post(environment, webhook, `${review}\n`)
  return readAnswer(response, uid, version, mutating)
}

interface Address {
  url: string
  connectTo?: string
}

/** @throws CallFailure */
async function post(environment: PolicyEnvironment, webhook: Webhook, body: string): Promise<OutboundResponse> {
  const { clientConfig = {}, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = webhook
  const certificates = certificatesOf(clientConfig)
  const url = `${urlOf(clientConfig)}?timeout=${timeoutSeconds}s`
  const failed = (why: string) => new CallFailure(`failed to call webhook: Post ${goQuote(url)}: ${why}`)
  const connectTo = clientConfig.service ? await serviceAddress(environment, clientConfig.service, failed) : undefined
  const { outbound } = environment
  if (outbound === undefined) throw failed('this server has no way to others')
  const address: Address = { url, ...(connectTo === undefined ? {} : { connectTo }) }
  try {
    return await withinTime(environment, timeoutSeconds, (onCancel) =>
      outbound.post({ ...address, headers: HEADERS, body, ...(certificates === undefined ? {} : { certificates }) }, onCancel),
    )
  } catch (error) {
    if (error instanceof OutboundError) throw failed(error.message)
    throw error
  }
}

/** @throws OutboundError when the time is over */
function withinTime<Result>(
  { clock }: PolicyEnvironment,
  seconds: number,
  start: (onCancel: (run: () => void) => void) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let cancel = () => {}
    const callOff = clock.after(seconds * 1000, () => {
      cancel()
      reject(new OutboundError('context deadline exceeded'))
    })
    const running = start((run) => {
      cancel = run
    })
    running.then(resolve, reject).finally(callOff)
  })
}

/** Services are called by the name that their certificate is for. */
function urlOf({ url, service }: ClientConfig): string {
  if (service) return `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}${cleanPath(service.path ?? '')}`
  const [, origin = '', path = ''] = /^([^/]*\/\/[^/]*)(.*)$/.exec(url ?? '') ?? []
  return origin + cleanPath(path)
}

/** Without empty segments, and without a slash at the end. */
function cleanPath(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`
}

function certificatesOf({ caBundle }: ClientConfig): string | undefined {
  if (!caBundle) return undefined
  const text = new TextDecoder().decode(bytesOfBase64(caBundle))
  if (/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(text)) return text
  throw new CallFailure('could not get REST client: unable to load root certificates: unable to parse bytes as PEM block')
}

interface Service extends KubeObject {
  spec?: { type?: string; clusterIP?: string; externalName?: string; ports?: { port?: number }[] }
}

/** @returns host and port behind the service */
async function serviceAddress(
  environment: PolicyEnvironment,
  { namespace = '', name = '', port = 443 }: ServiceReference,
  failed: (why: string) => CallFailure,
): Promise<string> {
  const service = await readObject<Service>(environment, `/registry/services/specs/${namespace}/${name}`)
  if (service === undefined) throw failed(`service ${goQuote(name)} not found`)
  const elsewhere = environment.outbound?.serviceAddress?.(namespace, name, port)
  if (elsewhere !== undefined) return elsewhere
  const { type = 'ClusterIP', clusterIP = '', externalName = '', ports = [] } = service.spec ?? {}
  if (type === 'ExternalName') {
    if (port !== 443) throw failed('unsupported port for external name service')
    return `${externalName}:443`
  }
  if (clusterIP === 'None') throw failed('cannot route to service with ClusterIP "None"')
  if (!ports.some((offered) => offered.port === port)) throw failed(`no service port ${port} found for service ${goQuote(name)}`)
  return `${clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP}:${port}`
}
