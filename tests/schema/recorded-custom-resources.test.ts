import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { canonicalize } from '../../src/engine/schema/canonical'
import { modelOfCustomSchema } from '../../src/engine/schema/custom'
import { decodeObject } from '../../src/engine/schema/decode'
import { applyDefaults } from '../../src/engine/schema/defaults'
import { readJson } from '../../src/engine/schema/json-reader'
import type { StructType } from '../../src/engine/schema/model'
import { readYaml, warningsOf } from '../../src/engine/schema/yaml/reader'
import { type RecordedStep, recordedSteps } from './recordings'

interface Sent {
  where: string
  step: RecordedStep['step']
  type: StructType
  /** The storage version; others lose more by conversion. */
  stored: boolean
  body: string
}

/**
 * Custom resources that clients created or replaced, with the type from their definition at that
 * time.
 */
const sent: Sent[] = []
const types = new Map<string, { type: StructType; stored: boolean }>()
for (const { where, step } of recordedSteps()) {
  learnTypes(step)
  const { request, response } = step
  if (
    !['POST', 'PUT'].includes(request.method) ||
    typeof request.body !== 'string' ||
    request.path.includes('/status')
  )
    continue
  const namespace = /"namespace":"([^"]+)"/.exec(response.text ?? '')?.[1] ?? 'test'
  const body = request.body
    .replaceAll('{{ns}}', namespace)
    .replace(/"resourceVersion":"\{\{[^}]*\}\}"/g, '"resourceVersion":"1"')
  const apiVersion = /apiVersion"?: ?"?([^"\s,]+)/.exec(body)?.[1]
  const kind = /kind"?: ?"?(\w+)/.exec(body)?.[1]
  const known = types.get(`${apiVersion} ${kind}`)
  if (known !== undefined && !body.includes('{{')) sent.push({ where, step, body, ...known })
}

function learnTypes({ response }: RecordedStep['step']): void {
  if (response.status >= 300 || !response.text?.startsWith('{"kind":"CustomResourceDefinition"'))
    return
  const { spec } = JSON.parse(response.text) as {
    spec: {
      group: string
      names: { kind: string }
      preserveUnknownFields?: boolean
      versions: { name: string; storage: boolean; schema?: { openAPIV3Schema?: JsonObject } }[]
    }
  }
  for (const { name, storage, schema } of spec.versions) {
    if (schema?.openAPIV3Schema)
      types.set(`${spec.group}/${name} ${spec.names.kind}`, {
        type: modelOfCustomSchema(schema.openAPIV3Schema),
        stored: storage,
      })
  }
}

function decode({ step, type, body }: Sent) {
  const document = /yaml/.test(step.request.headers['Content-Type'] ?? '')
    ? readYaml(body)
    : readJson(body)
  const decoded = decodeObject(type, document.value, document)
  applyDefaults(type, decoded.object)
  return decoded
}

const messageOf = ({ step }: Sent): string => {
  const text = step.response.text ?? ''
  return text.startsWith('{')
    ? String((JSON.parse(text) as { message?: string }).message ?? '')
    : ''
}

function fieldWarnings({ step }: Sent): string[] {
  const texts = [
    ...String(step.response.headers.warning ?? '').matchAll(/299 - "((?:\\.|[^"\\])*)"/g),
  ]
  return texts
    .map((match) => JSON.parse(`"${match[1]}"`) as string)
    .filter((text) => /^(unknown|duplicate) field|already set in map$/.test(text))
}

describe('custom resources that clients sent', () => {
  it('are many', () => {
    expect(sent.length).toBeGreaterThan(400)
  })

  it('are pruned and defaulted as kube-apiserver stored them', () => {
    const stored = sent.filter(
      ({ step, stored }) =>
        stored && step.response.status < 300 && step.response.text?.startsWith('{"apiVersion"'),
    )
    expect(stored.length).toBeGreaterThan(200)
    for (const one of stored) {
      const object = canonicalize(one.type, decode(one).object)
      const recorded = JSON.parse(one.step.response.text ?? '') as KubeObject
      expect.soft(ownMembers(object), one.where).toBe(ownMembers(recorded))
    }
  })

  it('have the recorded errors or warnings', () => {
    const prefix = 'strict decoding error: '
    let compared = 0
    for (const one of sent) {
      const message = messageOf(one)
      const warnings = fieldWarnings(one)
      if (!message.includes(prefix) && warnings.length === 0) continue
      compared++
      const { problems } = decode(one)
      if (message.includes(prefix))
        expect
          .soft(problems.join(', '), one.where)
          .toBe(message.slice(message.indexOf(prefix) + prefix.length))
      else expect.soft(warningsOf(problems), one.where).toEqual(warnings)
    }
    expect(compared).toBeGreaterThan(30)
  })

  it('are rejected with the recorded message', () => {
    const rejected = sent.filter(
      (one) =>
        / cannot be handled as a \w+: (?!strict)/.test(messageOf(one)) &&
        !/no kind|does not match/.test(messageOf(one)),
    )
    expect(rejected.length).toBeGreaterThan(5)
    for (const one of rejected) {
      expect
        .soft(() => decode(one), one.where)
        .toThrow(messageOf(one).replace(/^.*? cannot be handled as a \w+: /, ''))
    }
  })
})

/** Removes fields that only the server sets in metadata and status. */
function ownMembers({ metadata: _, status: __, ...members }: KubeObject): string {
  return JSON.stringify(members)
}
