/**
 * Validates the conversion of a CustomResourceDefinition. Recorded from kube-apiserver 1.31
 * (`crd-def-conversion-refused`).
 */

import { isJsonObject, type Json, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { bytesOfBase64 } from '../../../schema/base64'
import { forbiddenField, notSupported, required } from '../../../validation/field-errors'
import { clientErrors, reviewVersionErrors } from '../../../validation/webhook-clients'
import { bundleProblem } from '../../../webhooks/certificates'
import type { DefinitionSpec } from '../definition'

export function conversionErrors(conversion: JsonObject, certified: boolean): FieldError[] {
  const strategy = typeof conversion.strategy === 'string' ? conversion.strategy : ''
  const webhook = isJsonObject(conversion.webhook) ? conversion.webhook : undefined
  const path = 'spec.conversion'
  const client = isJsonObject(webhook?.clientConfig) ? webhook.clientConfig : undefined
  const versions = Array.isArray(webhook?.conversionReviewVersions)
    ? (webhook.conversionReviewVersions as string[])
    : []
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook'
    return [
      ...strategyErrors(`${path}.strategy`, strategy),
      ...(client ? [forbiddenField(`${path}.webhookClientConfig`, why)] : []),
      ...(versions.length > 0 ? [forbiddenField(`${path}.conversionReviewVersions`, why)] : []),
    ]
  }
  return [
    ...(client
      ? clientErrors(clientOf(client), `${path}.webhookClientConfig`)
      : [required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook')]),
    ...(certified ? caBundleErrors(client?.caBundle, `${path}.webhookClientConfig.caBundle`) : []),
    ...(versions.length === 0
      ? [required(`${path}.conversionReviewVersions`)]
      : reviewVersionErrors(versions, `${path}.conversionReviewVersions`)),
  ]
}

function strategyErrors(field: string, strategy: string): FieldError[] {
  if (strategy === '') return [required(field)]
  return strategy === 'None' ? [] : [notSupported(field, strategy, ['None', 'Webhook'])]
}

function clientOf({ url, service }: JsonObject): Parameters<typeof clientErrors>[0] {
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(isJsonObject(service) ? { service: service as { name?: string } } : {}),
  }
}

/** An empty bundle means the system's CAs. */
export function hasUsableCertificates({ conversion }: DefinitionSpec): boolean {
  return bundleProblem(conversion?.webhook?.clientConfig?.caBundle) === undefined
}

/** @param caBundle PEM in base64; printed byte by byte */
function caBundleErrors(caBundle: Json | undefined, path: string): FieldError[] {
  const problem = typeof caBundle === 'string' ? bundleProblem(caBundle) : undefined
  if (typeof caBundle !== 'string' || problem === undefined) return []
  const bytes = [...bytesOfBase64(caBundle)].map((byte) => `0x${byte.toString(16)}`)
  const detail = `Invalid value: []byte{${bytes.join(', ')}}: ${problem}`
  return [{ field: path, reason: 'FieldValueInvalid', detail }]
}
