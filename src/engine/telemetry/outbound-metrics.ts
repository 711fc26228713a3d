/** Metrics of webhook calls. Proxied requests and fetched documents are not counted. */
import {
  type Outbound,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '../core/outbound'
import type { Cell } from './instruments'
import type { MetricRegistry } from './registry'

/** The code label of a request without a response, as in client-go. */
const NO_RESPONSE = '<error>'
const METHOD = 'POST'
const HOST = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)/
const utf8 = new TextEncoder()

/** The host and port of a URL, without user and password. */
export const hostOf = (url: string): string => HOST.exec(url)?.[1] ?? ''

export class OutboundMetrics {
  /** @param stopwatch milliseconds from any start */
  constructor(
    private readonly registry: MetricRegistry,
    private readonly stopwatch: () => number,
  ) {}

  /** @returns an Outbound that counts its calls */
  counted(outbound: Outbound): Outbound {
    const { registry } = this
    const webhooks = registry.numbers('apiserver_webhooks_x509_missing_san_total').at({})
    const servers = registry.numbers('apiserver_kube_aggregator_x509_missing_san_total').at({})
    const { get, pass, upgrade } = outbound
    return {
      post: (request, onCancel) =>
        this.measured(request, () => verified(webhooks, () => outbound.post(request, onCancel))),
      ...(get && { get: get.bind(outbound) }),
      ...(pass && {
        pass: (...call) => verified(servers, () => pass.apply(outbound, call)),
      }),
      ...(upgrade && {
        upgrade: (...call) => verified(servers, () => upgrade.apply(outbound, call)),
      }),
    }
  }

  private async measured(
    { url, body }: OutboundRequest,
    run: () => Promise<OutboundResponse>,
  ): Promise<OutboundResponse> {
    const { registry } = this
    const host = hostOf(url)
    const labels = { verb: METHOD, host }
    const begun = this.stopwatch()
    const count = (code: string) => {
      registry.numbers('rest_client_requests_total').at({ code, method: METHOD, host }).value++
      registry
        .histogram('rest_client_request_duration_seconds')
        .at(labels)
        .observe((this.stopwatch() - begun) / 1000)
    }
    registry
      .histogram('rest_client_request_size_bytes')
      .at(labels)
      .observe(utf8.encode(body).length)
    try {
      const response = await run()
      count(String(response.status))
      registry
        .histogram('rest_client_response_size_bytes')
        .at(labels)
        .observe(utf8.encode(response.body).length)
      return response
    } catch (error) {
      count(NO_RESPONSE)
      throw error
    }
  }
}

const MISSING_SAN = 'x509: certificate relies on legacy Common Name field'

/** Counts connections that fail because the server's certificate names no server. */
async function verified<Result>(missing: Cell, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof OutboundError && error.message.includes(MISSING_SAN)) missing.value++
    throw error
  }
}
