import { describe, expect, it } from 'vitest'
import { isJsonObject, parseApiVersion } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import { DecodeError, decodeObject } from '../../src/engine/schema/decode'
import { JsonSyntaxError, type ReadDocument, readJson } from '../../src/engine/schema/json-reader'
import { readYaml, warningsOf, YamlSyntaxError } from '../../src/engine/schema/yaml/reader'
import { type RecordedStep, recordedSteps } from './recordings'

/**
 * Responses of kube-apiserver to recorded request bodies: syntax errors, type errors, strict errors
 * and warnings about fields. Bodies that contain a part of an earlier response are left out.
 */
const bodies = [...recordedSteps()].filter(({ step: { request } }) => {
  const type = request.headers['Content-Type'] ?? ''
  const whole = typeof request.body === 'string' && !/(?:^|[:[,{])\{\{/.test(request.body)
  return ['POST', 'PUT'].includes(request.method) && /^application\/(json|yaml)/.test(type) && whole
})

describe('recorded request bodies', () => {
  it('are many', () => {
    expect(bodies.length).toBeGreaterThan(6000)
  })

  it('fail to parse with the recorded message', () => {
    const failures = bodies.flatMap((body) => {
      const { error } = read(body)
      return error === undefined || !/unrecognized/.test(messageOf(body)) ? [] : [{ body, error }]
    })
    expect(failures.length).toBeGreaterThan(40)
    expect(
      failures.filter(({ body, error }) => !messageOf(body).includes(error)).map(describeFailure),
    ).toEqual([])
  })

  it('fail to decode with the recorded message', () => {
    const failures = decodings().filter(({ error }) => error !== undefined)
    expect(failures.length).toBeGreaterThan(80)
    expect(
      failures
        .filter(({ body, error }) => !messageOf(body).endsWith(error as string))
        .map(describeFailure),
    ).toEqual([])
  })

  it('parse where kube-apiserver parsed them', () => {
    const rejected = bodies.filter(
      (body) => body.step.response.status < 300 && read(body).error !== undefined,
    )
    expect(rejected.map(({ where }) => where)).toEqual([])
  })

  it('decode where kube-apiserver decoded them', () => {
    const rejected = decodings().filter(
      ({ body, error }) => error !== undefined && body.step.response.status < 300,
    )
    expect(rejected.map(describeFailure)).toEqual([])
  })

  it('have the recorded strict errors in order', () => {
    const prefix = 'strict decoding error: '
    const strict = decodings().filter(({ body }) => messageOf(body).includes(prefix))
    expect(strict.length).toBeGreaterThan(30)
    for (const { body, problems } of strict) {
      expect
        .soft(problems.join(', '), body.where)
        .toBe(messageOf(body).slice(messageOf(body).indexOf(prefix) + prefix.length))
    }
  })

  it('have the recorded warnings', () => {
    const warned = decodings().filter(({ body }) => fieldWarnings(body).length > 0)
    expect(warned.length).toBeGreaterThan(60)
    for (const { body, problems } of warned) {
      expect
        .soft(warningsOf(problems).slice(0, fieldWarnings(body).length), body.where)
        .toEqual(fieldWarnings(body))
    }
  })
})

interface Decoding {
  body: RecordedStep
  problems: string[]
  error?: string
}

function decodings(): Decoding[] {
  return bodies.flatMap((body) => {
    const { document } = read(body)
    const type = document && typeOf(document)
    if (document === undefined || type === undefined) return []
    try {
      return [{ body, problems: decodeObject(type, document.value, document).problems }]
    } catch (error) {
      if (error instanceof DecodeError) return [{ body, problems: [], error: error.message }]
      throw error
    }
  })
}

function read({ step: { request } }: RecordedStep): { document?: ReadDocument; error?: string } {
  const text = (request.body ?? '')
    .replace(/\{\{[^}]*creationTimestamp\}\}/g, '2026-01-01T00:00:00Z')
    .replaceAll('{{ns}}', 'test')
  try {
    return {
      document: /yaml/.test(request.headers['Content-Type'] ?? '')
        ? readYaml(text)
        : readJson(text),
    }
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof YamlSyntaxError)
      return { error: error.message }
    throw error
  }
}

function typeOf({ value }: ReadDocument) {
  if (
    !isJsonObject(value) ||
    typeof value.kind !== 'string' ||
    typeof value.apiVersion !== 'string'
  )
    return undefined
  const { group, version } = parseApiVersion(value.apiVersion)
  return builtinModel().byKind(group, version, value.kind)
}

function messageOf({ step: { response } }: RecordedStep): string {
  const { text = '' } = response
  if (!text.startsWith('{')) return ''
  return String((JSON.parse(text) as { message?: string }).message ?? '')
}

function fieldWarnings({ step: { response } }: RecordedStep): string[] {
  const header = utf8(String(response.headers.warning ?? ''))
  const texts = [...header.matchAll(/299 - "((?:\\.|[^"\\])*)"/g)].map(
    (match) => JSON.parse(`"${match[1]}"`) as string,
  )
  return texts.filter(
    (text) =>
      /^(unknown|duplicate) field|already set in map$/.test(text) && !text.includes('yyyyyyyy'),
  )
}

/** Header values are recorded as raw bytes. */
function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}

function describeFailure({ body, error }: { body: RecordedStep; error?: string }): string {
  return `${body.where}: ${error} (recorded: ${messageOf(body)})`
}
