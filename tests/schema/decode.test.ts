import { describe, expect, it } from 'vitest'
import { builtinModel } from '../../src/engine/schema/builtin'
import { decodeObject } from '../../src/engine/schema/decode'
import { readJson } from '../../src/engine/schema/json-reader'
import type { StructType } from '../../src/engine/schema/model'

function kind(group: string, version: string, name: string): StructType {
  const type = builtinModel().byKind(group, version, name)
  if (type === undefined) throw new Error(`no kind ${name}`)
  return type
}

const pod = kind('', 'v1', 'Pod')
const configMap = kind('', 'v1', 'ConfigMap')
const secret = kind('', 'v1', 'Secret')
const deployment = kind('apps', 'v1', 'Deployment')
const lease = kind('coordination.k8s.io', 'v1', 'Lease')
const definition = kind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')

const kinds: Record<string, StructType> = { pod, configMap, secret, deployment, definition }

/** Parses and decodes a JSON text. */
function decode(type: StructType, text: string) {
  const document = readJson(text)
  return decodeObject(type, document.value, document)
}

const problems = (type: StructType, text: string): string[] => decode(type, text).problems
const container = (members: string) => `{"spec":{"containers":[{"name":"a",${members}}]}}`

describe('decoding into a built-in type', () => {
  it('gives the canonical object: fields in order, empty optional ones omitted', () => {
    expect(
      JSON.stringify(
        decode(
          deployment,
          '{"spec":{"replicas":0,"minReadySeconds":0,"paused":false},"metadata":{"labels":{"b":"1","a":"2"},"annotations":{}}}',
        ).object,
      ),
    ).toBe(
      '{"metadata":{"creationTimestamp":null,"labels":{"a":"2","b":"1"}},"spec":{"replicas":0,"selector":null,"template":{"metadata":{"creationTimestamp":null},"spec":{"containers":null}},"strategy":{}},"status":{}}',
    )
  })

  it('treats null as absent, and as the empty value in lists and maps', () => {
    const { object } = decode(
      pod,
      '{"metadata":{"labels":{"a":null}},"spec":{"nodeName":null,"containers":[null],"hostname":null}}',
    )
    expect(object.metadata.labels).toEqual({ a: '' })
    expect(object.spec).toEqual({ containers: [{ name: '', resources: {} }] })
    expect(decodeObject(configMap, null).object).toEqual({ metadata: { creationTimestamp: null } })
  })

  it('makes times, quantities and bytes canonical', () => {
    const { object } = decode(
      pod,
      '{"metadata":{"deletionTimestamp":"2026-01-01T00:30:00+01:00"},"spec":{"overhead":{"memory":"1024Mi","cpu":0.5}}}',
    )
    expect(object.metadata.deletionTimestamp).toBe('2025-12-31T23:30:00Z')
    expect(object.spec).toMatchObject({ overhead: { cpu: '500m', memory: '1Gi' } })
    expect(
      decode(secret, '{"data":{"a":"aGVs\\nbG8=","b":null,"c":[104,105]}}').object.data,
    ).toEqual({ a: 'aGVsbG8=', b: '', c: 'aGk=' })
  })

  it('does not change free-form JSON', () => {
    const revision = kind('apps', 'v1', 'ControllerRevision')
    expect(
      decode(revision, '{"data":{"z":1,"a":[null,{"y":0}]},"revision":1}').object.data,
    ).toEqual({ z: 1, a: [null, { y: 0 }] })
  })

  it('copies parts of the document that may be changed later', () => {
    const document = { spec: { containers: [{ name: 'a', args: ['x'] }] } }
    const { object } = decodeObject(pod, document)
    ;(object.spec as typeof document.spec).containers[0]?.args.push('y')
    expect(document.spec.containers[0]?.args).toEqual(['x'])
  })

  describe('of a wrong type', () => {
    it.each([
      [
        'deployment',
        '{"spec":{"replicas":"3"}}',
        'string into Go struct field DeploymentSpec.spec.replicas of type int32',
      ],
      [
        'deployment',
        '{"spec":{"replicas":1.5}}',
        'number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
      ],
      [
        'deployment',
        '{"spec":{"replicas":2.0}}',
        'number 2.0 into Go struct field DeploymentSpec.spec.replicas of type int32',
      ],
      [
        'deployment',
        '{"spec":{"replicas":2147483648}}',
        'number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32',
      ],
      [
        'pod',
        '{"spec":{"activeDeadlineSeconds":1e2}}',
        'number 1e2 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
      ],
      [
        'pod',
        '{"spec":{"activeDeadlineSeconds":9223372036854775808}}',
        'number 9223372036854775808 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
      ],
      ['pod', '{"spec":[]}', 'array into Go struct field Pod.spec of type v1.PodSpec'],
      [
        'pod',
        '{"spec":{"containers":{}}}',
        'object into Go struct field PodSpec.spec.containers of type []v1.Container',
      ],
      [
        'pod',
        '{"spec":{"containers":["x"]}}',
        'string into Go struct field PodSpec.spec.containers of type v1.Container',
      ],
      [
        'pod',
        container('"ports":[{"containerPort":"80"}]'),
        'string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
      ],
      [
        'pod',
        '{"spec":{"restartPolicy":1}}',
        'number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy',
      ],
      [
        'pod',
        '{"spec":{"hostNetwork":"true"}}',
        'string into Go struct field PodSpec.spec.hostNetwork of type bool',
      ],
      [
        'pod',
        '{"metadata":{"labels":["a"]}}',
        'array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
      ],
      [
        'pod',
        '{"metadata":{"labels":{"a":1}}}',
        'number into Go struct field ObjectMeta.metadata.labels of type string',
      ],
      [
        'pod',
        '{"metadata":{"creationTimestamp":5}}',
        'number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
      ],
      [
        'pod',
        container('"livenessProbe":{"httpGet":{"port":true}}'),
        'bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.httpGet.port of type int32',
      ],
      ['secret', '{"data":{"a":5}}', 'number into Go struct field Secret.data of type []uint8'],
      ['configMap', '[]', 'array into Go value of type v1.ConfigMap'],
      [
        'definition',
        '{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":{"type":5}}}}]}}',
        'number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items of type string',
      ],
    ])('%s %s: %s', (type, text, message) => {
      expect(() => decode(kinds[type] as StructType, text)).toThrow(
        `json: cannot unmarshal ${message}`,
      )
    })

    it('accepts the minimum and maximum of a numeric type', () => {
      expect(decode(deployment, '{"spec":{"replicas":-2147483648}}').object.spec).toMatchObject({
        replicas: -2147483648,
      })
      expect(() =>
        decode(pod, '{"spec":{"activeDeadlineSeconds":9223372036854775807}}'),
      ).not.toThrow()
      expect(() =>
        decode(pod, '{"spec":{"activeDeadlineSeconds":-9223372036854775808}}'),
      ).not.toThrow()
    })

    it('reports the first error of the text', () => {
      expect(() => decode(pod, '{"spec":{"nodeName":1,"hostNetwork":2}}')).toThrow(
        'PodSpec.spec.nodeName',
      )
      expect(() => decode(pod, '{"spec":{"hostNetwork":2,"nodeName":1}}')).toThrow(
        'PodSpec.spec.hostNetwork',
      )
    })

    it('reports an error of a custom unmarshaler before other errors', () => {
      expect(() => decode(pod, '{"spec":{"nodeName":1,"overhead":{"cpu":"one"}}}')).toThrow(
        'quantities must match',
      )
    })

    it('reports times, quantities and bytes in their own words', () => {
      expect(() => decode(lease, '{"spec":{"renewTime":"2020-01-01"}}')).toThrow(
        'parsing time "2020-01-01" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "" as "T"',
      )
      expect(() => decode(pod, '{"spec":{"overhead":{"cpu":{}}}}')).toThrow(
        'quantities must match the regular expression',
      )
      expect(() => decode(secret, '{"data":{"a":"not base64!"}}')).toThrow(
        'illegal base64 data at input byte 3',
      )
    })
  })

  describe('reports the errors of strict decoding', () => {
    it('unknown fields with their path, names being case-sensitive', () => {
      expect(
        problems(pod, '{"spec":{"containers":[{"name":"a","imagee":"b"}],"replicas":3},"extra":1}'),
      ).toEqual([
        'unknown field "spec.containers[0].imagee"',
        'unknown field "spec.replicas"',
        'unknown field "extra"',
      ])
      expect(problems(configMap, '{"Data":{},"a\\"b":1,"":2}')).toEqual([
        'unknown field "Data"',
        'unknown field "a\\"b"',
        'unknown field ""',
      ])
    })

    it('no errors inside an unknown field', () => {
      expect(problems(configMap, '{"spec":{"a":1,"a":2}}')).toEqual(['unknown field "spec"'])
    })

    it('repeated fields and map keys at their place in the text', () => {
      expect(
        problems(
          deployment,
          '{"foo":1,"spec":{"replicas":1,"replicas":2,"nope":1},"metadata":{"labels":{"x":"1","x":"2"}}}',
        ),
      ).toEqual([
        'unknown field "foo"',
        'duplicate field "spec.replicas"',
        'unknown field "spec.nope"',
        'duplicate field "metadata.labels.x"',
      ])
    })

    it('the same error once, and at most a hundred errors', () => {
      expect(problems(configMap, '{"foo":1,"foo":2}')).toEqual(['unknown field "foo"'])
      const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`unknown${i}`, i]))
      expect(problems(configMap, JSON.stringify(many))).toHaveLength(100)
    })

    it('parser errors first if they have no place', () => {
      expect(
        decodeObject(configMap, { foo: 1 }, { duplicates: ['yaml: unmarshal errors:'] }).problems,
      ).toEqual(['yaml: unmarshal errors:', 'unknown field "foo"'])
    })
  })

  it('decodes every value of a repeated key', () => {
    const twice = (first: string) => () => decode(configMap, `{"data":{"a":${first},"a":"2"}}`)
    expect(twice('"1"')().object.data).toEqual({ a: '2' })
    expect(twice('[]')).toThrow(
      'cannot unmarshal array into Go struct field ConfigMap.data of type string',
    )
  })

  it('merges a repeated struct, and keeps the last of other values', () => {
    expect(decode(configMap, '{"data":{"a":"1"},"data":{"b":"2"}}').object.data).toEqual({
      a: '1',
      b: '2',
    })
    expect(decode(deployment, '{"spec":{"replicas":1,"replicas":2}}').object.spec).toMatchObject({
      replicas: 2,
    })
  })
})
