/**
 * kubernetes.io, "Webhook request and response". Texts: k8s.io/apiextensions-apiserver,
 * pkg/apiserver/conversion/webhook_converter.go.
 */
import { type Clock, type Random, randomUuid } from '../../core/environment'
import { API_DOMAIN } from '../../core/names'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../../core/object'
import type { Outbound, OutboundResponse } from '../../core/outbound'
import { serverError } from '../../http/status'
import type { ConversionWebhook } from '../../kinds/apiextensions/definition'
import { goQuote } from '../../schema/go-text'
import { goTypeOf } from '../../validation/custom-objects/scale'
import { ClientFailure, postReview, type Service, UnusableClient } from '../../webhooks/client'
import type { ConversionFailure, ConversionMetrics } from '../../webhooks/metrics'
import { REVIEW_VERSIONS, reviewIn, textOf } from '../../webhooks/review'
import { CONVERSION_REVIEW } from '../../webhooks/review-types'
import { type Convertible, checkIdentity, restoredMetadata, UnusableConversion } from './metadata'

export interface ConverterEnvironment {
  clock: Clock
  random: Random
  outbound: Outbound | undefined
  metrics: ConversionMetrics
  readService(namespace: string, name: string): Promise<Service | undefined>
}

const REVIEW = { group: `apiextensions.${API_DOMAIN}`, kind: 'ConversionReview' }
const SECONDS = 30
/** Go's http client, recorded from other webhooks. */
const LATE = 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)'

class Failed extends Error {
  constructor(
    readonly type: ConversionFailure,
    message: string,
  ) {
    super(message)
  }
}

export class WebhookConverter {
  constructor(
    private readonly name: string,
    private readonly webhook: ConversionWebhook,
    private readonly environment: ConverterEnvironment,
  ) {}

  /** Metadata is the object's own, except labels and annotations. @throws ApiError 500 */
  async convert(object: Convertible, apiVersion: string): Promise<KubeObject> {
    const { clock, metrics } = this.environment
    const started = clock.now()
    const observe = (failure: ConversionFailure | undefined) =>
      metrics.converted(
        this.name,
        parseApiVersion(object.apiVersion).version,
        parseApiVersion(apiVersion).version,
        (clock.now() - started) / 1000,
        failure,
      )
    try {
      const converted = await this.request(object, apiVersion)
      observe(undefined)
      return converted
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      observe(error.type)
      throw serverError(`conversion webhook for ${kindText(object)} ${error.message}`)
    }
  }

  private async request(object: Convertible, apiVersion: string): Promise<KubeObject> {
    const version = (this.webhook.conversionReviewVersions ?? []).find((offered) =>
      REVIEW_VERSIONS.includes(offered),
    )
    if (version === undefined) throw serverError('no supported conversion review versions')
    const uid = randomUuid(this.environment.random)
    const review = {
      kind: REVIEW.kind,
      apiVersion: `${REVIEW.group}/${version}`,
      request: { uid, desiredAPIVersion: apiVersion, objects: [object] },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    }
    const response = await this.post(JSON.stringify(review))
    const converted = convertedIn(reviewOf(response, version), uid, version)
    if (converted.length !== 1)
      throw new Failed(
        'conversion_webhook_partial_response_failure',
        `returned ${converted.length} objects, expected 1`,
      )
    return usable(object, converted[0] ?? null, apiVersion)
  }

  private async post(body: string): Promise<OutboundResponse> {
    const { clock, outbound, readService } = this.environment
    try {
      return await postReview({ clock, outbound, readService }, this.webhook.clientConfig ?? {}, {
        seconds: SECONDS,
        late: LATE,
        body: `${body}\n`,
      })
    } catch (error) {
      if (error instanceof ClientFailure || error instanceof UnusableClient)
        throw new Failed('conversion_webhook_call_failure', `failed: ${error.message}`)
      throw error
    }
  }
}

/** `example.com/v1, Kind=Widget` */
function kindText({ apiVersion, kind }: Convertible): string {
  const { group, version } = parseApiVersion(apiVersion)
  return `${group}/${version}, Kind=${kind}`
}

function reviewOf(response: OutboundResponse, version: string): JsonObject {
  try {
    return reviewIn(response, { ...REVIEW, version, type: CONVERSION_REVIEW })
  } catch (error) {
    throw error instanceof ClientFailure
      ? new Failed('conversion_webhook_call_failure', `failed: ${error.message}`)
      : error
  }
}

/** v1beta1 does not require kind, apiVersion and uid. */
function convertedIn(review: JsonObject, uid: string, version: string): Json[] {
  const failed = (why: string) =>
    new Failed('conversion_webhook_malformed_response_failure', `failed: ${why}`)
  const { response } = review
  if (version === 'v1' && (textOf(review.kind) === '' || textOf(review.apiVersion) === '')) {
    const found = parseApiVersion(textOf(review.apiVersion))
    const expected = `${REVIEW.group}/${version}, Kind=${REVIEW.kind}`
    throw failed(
      `expected webhook response of ${expected}, got ${found.group}/${found.version}, Kind=${textOf(review.kind)}`,
    )
  }
  if (!isJsonObject(response)) throw failed('no response provided')
  if (version === 'v1' && response.uid !== uid)
    throw failed(`expected response.uid=${goQuote(uid)}, got ${goQuote(textOf(response.uid))}`)
  const result = isJsonObject(response.result) ? response.result : {}
  if (result.status !== 'Success')
    throw failed(
      textOf(result.message) ||
        `response.result.status was '${textOf(result.status)}', not 'Success'`,
    )
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : []
}

function usable(original: Convertible, converted: Json, apiVersion: string): KubeObject {
  const failed = (message: string) =>
    new Failed('conversion_webhook_invalid_converted_object_failure', `returned invalid ${message}`)
  if (!isJsonObject(converted) || textOf(converted.kind) === '')
    throw failed(
      `object at index 0: ${isJsonObject(converted) ? missingKind(converted) : unreadable(converted)}`,
    )
  if (converted.apiVersion !== apiVersion)
    throw failed(
      `object at index 0: invalid groupVersion (expected ${apiVersion}, received ${textOf(converted.apiVersion)})`,
    )
  if (converted.kind !== original.kind)
    throw failed(
      `object at index 0: invalid kind (expected ${original.kind}, received ${textOf(converted.kind)})`,
    )
  try {
    checkIdentity(original, converted)
    return {
      ...converted,
      kind: original.kind,
      apiVersion,
      metadata: restoredMetadata(original, converted),
    }
  } catch (error) {
    if (!(error instanceof UnusableConversion)) throw error
    throw failed(`${error.what}: ${error.message}`)
  }
}

const missingKind = (converted: JsonObject): string =>
  `Object 'Kind' is missing in '${JSON.stringify(converted)}'`
const unreadable = (converted: Json): string =>
  `json: cannot unmarshal ${goTypeOf(converted)} into Go value of type struct { APIVersion string; Kind string }`
