/** How a definition's versions are converted into each other (messages recorded: crd-def-conversion-refused). */
import type { FieldError } from '../../../http/status'
import { isJsonObject, type JsonObject } from '../../../object'
import { forbiddenField, notSupported, required } from '../../field-errors'
import { clientErrors, reviewVersionErrors } from '../../rules/webhook-clients'

export function conversionErrors(conversion: JsonObject): FieldError[] {
  const strategy = typeof conversion.strategy === 'string' ? conversion.strategy : ''
  const webhook = isJsonObject(conversion.webhook) ? conversion.webhook : undefined
  const path = 'spec.conversion'
  const client = isJsonObject(webhook?.clientConfig) ? webhook.clientConfig : undefined
  const versions = Array.isArray(webhook?.conversionReviewVersions) ? (webhook.conversionReviewVersions as string[]) : []
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
  return { ...(typeof url === 'string' ? { url } : {}), ...(isJsonObject(service) ? { service: service as { name?: string } } : {}) }
}
