/** How a definition's versions are converted into each other (messages recorded: crd-def-conversion-refused). */
import type { FieldError } from '../../../http/status'
import { isJsonObject, type JsonObject } from '../../../object'
import { forbiddenField, invalidValue, notSupported, required } from '../../field-errors'
import { goStringList } from '../../rules/go-literal'
import { dns1035LabelProblems } from '../../rules/names'

const REVIEW_VERSIONS = ['v1', 'v1beta1']

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
      ? clientErrors(client, `${path}.webhookClientConfig`)
      : [required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook')]),
    ...reviewErrors(versions, `${path}.conversionReviewVersions`),
  ]
}

function strategyErrors(field: string, strategy: string): FieldError[] {
  if (strategy === '') return [required(field)]
  return strategy === 'None' ? [] : [notSupported(field, strategy, ['None', 'Webhook'])]
}

function reviewErrors(versions: string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path)]
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalidValue(`${path}[${index}]`, version, 'duplicate version')]
    return dns1035LabelProblems(version).map((problem) => invalidValue(`${path}[${index}]`, version, problem))
  })
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    const detail = `Invalid value: ${goStringList(versions)}: must include at least one of ${REVIEW_VERSIONS.join(', ')}`
    errors.push({ field: path, reason: 'FieldValueInvalid', detail })
  }
  return errors
}

function clientErrors(client: JsonObject, path: string): FieldError[] {
  const { url, service } = client
  if ((url === undefined) === (service === undefined)) return [required(path, 'exactly one of url or service is required')]
  if (typeof url === 'string') return urlErrors(url, `${path}.url`)
  return isJsonObject(service) ? serviceErrors(service, `${path}.service`) : []
}

const FORM = '; desired format: https://host[/path]'

function urlErrors(url: string, path: string): FieldError[] {
  const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/i.exec(url)
  const [, scheme = '', user = '', host = '', , query = '', fragment = ''] = parts ?? []
  if (url.startsWith(':')) return [required(path, `url must be a valid URL: parse "${url}": missing protocol scheme${FORM}`)]
  return [
    ...(scheme === 'https' ? [] : [invalidValue(path, scheme, `'https' is the only allowed URL scheme${FORM}`)]),
    ...(host === '' ? [invalidValue(path, host, `host must be specified${FORM}`)] : []),
    ...(user === '' ? [] : [invalidValue(path, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalidValue(path, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalidValue(path, query, 'query parameters are not permitted in the URL')]),
  ]
}

/** The real server takes the name for the namespace and the other way round (recorded). */
function serviceErrors(service: JsonObject, path: string): FieldError[] {
  const { name, namespace, port } = service
  return [
    ...(name ? [] : [required(`${path}.namespace`, 'service namespace is required')]),
    ...(namespace ? [] : [required(`${path}.name`, 'service name is required')]),
    ...(typeof port === 'number' && (port < 1 || port > 65_535)
      ? [invalidValue(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]
      : []),
    ...(typeof service.path === 'string' ? servicePathErrors(service.path, `${path}.path`) : []),
  ]
}

function servicePathErrors(value: string, path: string): FieldError[] {
  if (value === '' || value === '/') return []
  const errors = value.startsWith('/') ? [] : [invalidValue(path, value, "must start with a '/'")]
  const segments = value.slice(1).replace(/\/$/, '').split('/')
  segments.forEach((segment, index) => {
    if (segment === '') errors.push(invalidValue(path, value, `segment[${index}] may not be empty`))
  })
  return errors
}
